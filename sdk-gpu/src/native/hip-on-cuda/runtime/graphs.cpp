#include "control.h"
#include "launch_extra.h"

using namespace millrace;

namespace {

hipError_t instantiate(hipGraphExec_t* exec, hipGraph_t graph, unsigned long long flags) {
  if (exec == nullptr || graph == nullptr) {
    return hipErrorInvalidValue;
  }
  *exec = nullptr;
  hipError_t status =
      toHip(cuda.cuGraphInstantiateWithFlags(reinterpret_cast<CUgraphExec*>(exec), asCuda(graph), flags));
  countLive(Live::execs, status == hipSuccess ? 1 : 0);
  return status;
}

// Where a copy node's end lies: a copy captured from an ordinary copy call names a kind of memory for each end, and
// CUDA wants the kinds to stay what they were.
void point(CUmemorytype type, CUdeviceptr& device, const void** host, const void* pointer) {
  if (type == CU_MEMORYTYPE_HOST) {
    *host = pointer;
  } else {
    device = asCuda(pointer);
  }
}

hipGraphExecUpdateResult toHip(CUgraphExecUpdateResult result) {
  return result > CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE
             ? hipGraphExecUpdateErrorParametersChanged  // attributes changed: HIP has no such answer
             : static_cast<hipGraphExecUpdateResult>(result);
}

}  // namespace

hipError_t hipGraphInstantiate(hipGraphExec_t* exec, hipGraph_t graph, hipGraphNode_t* errorNode, char* log,
                               size_t logSize) {
  return deviceCall("hipGraphInstantiate", [&] {
    if (errorNode != nullptr) {
      *errorNode = nullptr;
    }
    if (log != nullptr && logSize > 0) {
      *log = 0;
    }
    return instantiate(exec, graph, 0);
  });
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* exec, hipGraph_t graph, unsigned long long flags) {
  return deviceCall("hipGraphInstantiateWithFlags", [&] { return instantiate(exec, graph, flags); });
}

hipError_t hipGraphUpload(hipGraphExec_t exec, hipStream_t stream) {
  return streamCall("hipGraphUpload", stream, [&]() -> hipError_t {
    return exec == nullptr ? hipErrorInvalidValue : millrace::toHip(cuda.cuGraphUpload(asCuda(exec), asCuda(stream)));
  });
}

// CUDA orders the launches of one instantiated graph among themselves. HIP does not.
hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t stream) {
  return streamCall("hipGraphLaunch", stream, [&]() -> hipError_t {
    return exec == nullptr ? hipErrorInvalidValue : millrace::toHip(cuda.cuGraphLaunch(asCuda(exec), asCuda(stream)));
  });
}

hipError_t hipGraphExecDestroy(hipGraphExec_t exec) {
  return deviceCall("hipGraphExecDestroy", [&]() -> hipError_t {
    if (exec == nullptr) {
      return hipErrorInvalidValue;
    }
    countLive(Live::execs, -1);
    return millrace::toHip(cuda.cuGraphExecDestroy(asCuda(exec)));
  });
}

hipError_t hipGraphDestroy(hipGraph_t graph) {
  return deviceCall("hipGraphDestroy", [&]() -> hipError_t {
    if (graph == nullptr) {
      return hipErrorInvalidValue;
    }
    countLive(Live::graphs, -1);
    return millrace::toHip(cuda.cuGraphDestroy(asCuda(graph)));
  });
}

hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t* nodes, size_t* count) {
  return deviceCall("hipGraphGetNodes", [&]() -> hipError_t {
    if (graph == nullptr || count == nullptr) {
      return hipErrorInvalidValue;
    }
    return millrace::toHip(cuda.cuGraphGetNodes(asCuda(graph), reinterpret_cast<CUgraphNode*>(nodes), count));
  });
}

hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType* type) {
  return deviceCall("hipGraphNodeGetType", [&]() -> hipError_t {
    if (node == nullptr || type == nullptr) {
      return hipErrorInvalidValue;
    }
    CUgraphNodeType found = CU_GRAPH_NODE_TYPE_EMPTY;
    hipError_t status = millrace::toHip(cuda.cuGraphNodeGetType(asCuda(node), &found));
    *type = static_cast<hipGraphNodeType>(found);  // the same numbers up to 11
    return status;
  });
}

hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams* parameters) {
  return deviceCall("hipGraphKernelNodeGetParams", [&]() -> hipError_t {
    if (node == nullptr || parameters == nullptr) {
      return hipErrorInvalidValue;
    }
    CUDA_KERNEL_NODE_PARAMS p{};
    if (hipError_t status = millrace::toHip(cuda.cuGraphKernelNodeGetParams_v2(asCuda(node), &p))) {
      return status;
    }
    *parameters = {};
    parameters->blockDim = {p.blockDimX, p.blockDimY, p.blockDimZ};
    parameters->gridDim = {p.gridDimX, p.gridDimY, p.gridDimZ};
    parameters->func = p.func;
    parameters->kernelParams = p.kernelParams;
    parameters->sharedMemBytes = p.sharedMemBytes;
    return hipSuccess;
  });
}

hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams* parameters) {
  return deviceCall("hipGraphMemsetNodeGetParams", [&]() -> hipError_t {
    if (node == nullptr || parameters == nullptr) {
      return hipErrorInvalidValue;
    }
    CUDA_MEMSET_NODE_PARAMS p{};
    if (hipError_t status = millrace::toHip(cuda.cuGraphMemsetNodeGetParams(asCuda(node), &p))) {
      return status;
    }
    *parameters = {reinterpret_cast<void*>(p.dst), p.elementSize, p.height, p.pitch, p.value, p.width};
    return hipSuccess;
  });
}

hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipKernelNodeParams* parameters) {
  return deviceCall("hipGraphExecKernelNodeSetParams", [&]() -> hipError_t {
    if (exec == nullptr || node == nullptr || parameters == nullptr) {
      return hipErrorInvalidValue;
    }
    LaunchExtra extra(parameters->extra);
    CUDA_KERNEL_NODE_PARAMS p{};
    p.func = static_cast<CUfunction>(parameters->func);
    p.gridDimX = parameters->gridDim.x;
    p.gridDimY = parameters->gridDim.y;
    p.gridDimZ = parameters->gridDim.z;
    p.blockDimX = parameters->blockDim.x;
    p.blockDimY = parameters->blockDim.y;
    p.blockDimZ = parameters->blockDim.z;
    p.sharedMemBytes = parameters->sharedMemBytes;
    p.kernelParams = parameters->kernelParams;
    p.extra = extra.list();
    return millrace::toHip(cuda.cuGraphExecKernelNodeSetParams_v2(asCuda(exec), asCuda(node), &p));
  });
}

hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec, hipGraphNode_t node, void* to, const void* from,
                                             size_t size, hipMemcpyKind) {
  return deviceCall("hipGraphExecMemcpyNodeSetParams1D", [&]() -> hipError_t {
    if (exec == nullptr || node == nullptr || to == nullptr || from == nullptr || size == 0) {
      return hipErrorInvalidValue;
    }
    CUDA_MEMCPY3D copy{};
    if (hipError_t status = millrace::toHip(cuda.cuGraphMemcpyNodeGetParams(asCuda(node), &copy))) {
      return status;
    }
    const void* hostTo = nullptr;
    point(copy.srcMemoryType, copy.srcDevice, &copy.srcHost, from);
    point(copy.dstMemoryType, copy.dstDevice, &hostTo, to);
    copy.dstHost = const_cast<void*>(hostTo);
    copy.WidthInBytes = size;
    copy.Height = copy.Depth = 1;
    CUcontext context;
    hipError_t status = contextOf(self.device, &context);
    return status != hipSuccess ? status
                                : millrace::toHip(cuda.cuGraphExecMemcpyNodeSetParams(asCuda(exec), asCuda(node), &copy,
                                                                                      context));
  });
}

hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipMemsetParams* parameters) {
  return deviceCall("hipGraphExecMemsetNodeSetParams", [&]() -> hipError_t {
    if (exec == nullptr || node == nullptr || parameters == nullptr) {
      return hipErrorInvalidValue;
    }
    CUDA_MEMSET_NODE_PARAMS p{};
    p.dst = asCuda(parameters->dst);
    p.pitch = parameters->pitch;
    p.value = parameters->value;
    p.elementSize = parameters->elementSize;
    p.width = parameters->width;
    p.height = parameters->height;
    CUcontext context;
    hipError_t status = contextOf(self.device, &context);
    return status != hipSuccess
               ? status
               : millrace::toHip(cuda.cuGraphExecMemsetNodeSetParams(asCuda(exec), asCuda(node), &p, context));
  });
}

hipError_t hipGraphExecUpdate(hipGraphExec_t exec, hipGraph_t graph, hipGraphNode_t* errorNode,
                              hipGraphExecUpdateResult* result) {
  return deviceCall("hipGraphExecUpdate", [&]() -> hipError_t {
    if (exec == nullptr || graph == nullptr || result == nullptr) {
      return hipErrorInvalidValue;
    }
    CUgraphExecUpdateResultInfo info{};
    hipError_t status = millrace::toHip(cuda.cuGraphExecUpdate_v2(asCuda(exec), asCuda(graph), &info));
    *result = toHip(info.result);
    if (errorNode != nullptr) {
      *errorNode = reinterpret_cast<hipGraphNode_t>(info.errorNode);
    }
    return status;
  });
}
