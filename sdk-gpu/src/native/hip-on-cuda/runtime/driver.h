// The CUDA driver, found with dlopen: the library is built where there is no driver.
#pragma once

#include <cuda.h>

#include "hip_abi.h"

#define MILLRACE_CUDA_FUNCTIONS(F)                                                                                     \
  F(cuInit) F(cuDriverGetVersion) F(cuDeviceGet) F(cuDeviceGetCount) F(cuDeviceGetName) F(cuDeviceGetAttribute)        \
  F(cuDeviceTotalMem_v2) F(cuDeviceGetPCIBusId) F(cuDeviceGetUuid_v2) F(cuDeviceGetDefaultMemPool)                     \
  F(cuDevicePrimaryCtxRetain) F(cuCtxSetCurrent) F(cuCtxSynchronize) F(cuCtxGetStreamPriorityRange)                    \
  F(cuStreamCreateWithPriority) F(cuStreamDestroy_v2) F(cuStreamQuery) F(cuStreamSynchronize) F(cuStreamWaitEvent)     \
  F(cuStreamGetDevice) F(cuStreamGetFlags) F(cuStreamGetPriority) F(cuStreamIsCapturing) F(cuStreamGetCaptureInfo_v3)  \
  F(cuStreamBeginCapture_v2) F(cuStreamEndCapture) F(cuThreadExchangeStreamCaptureMode) F(cuLaunchHostFunc)            \
  F(cuEventCreate) F(cuEventDestroy_v2) F(cuEventRecord) F(cuEventRecordWithFlags) F(cuEventQuery)                     \
  F(cuEventSynchronize) F(cuEventElapsedTime_v2) F(cuMemAlloc_v2) F(cuMemFree_v2) F(cuMemAllocAsync) F(cuMemFreeAsync) \
  F(cuMemPoolSetAttribute) F(cuMemHostAlloc) F(cuMemFreeHost) F(cuMemHostRegister_v2) F(cuMemHostUnregister)           \
  F(cuMemGetInfo_v2) F(cuMemcpy) F(cuMemcpyAsync) F(cuMemcpy2DAsync_v2) F(cuMemsetD8Async) F(cuPointerGetAttributes)   \
  F(cuModuleLoadData) F(cuModuleUnload) F(cuModuleGetFunction) F(cuLaunchKernel) F(cuFuncGetAttribute)                 \
  F(cuGraphInstantiateWithFlags) F(cuGraphUpload) F(cuGraphLaunch) F(cuGraphExecDestroy) F(cuGraphDestroy)             \
  F(cuGraphGetNodes) F(cuGraphNodeGetType) F(cuGraphKernelNodeGetParams_v2) F(cuGraphExecKernelNodeSetParams_v2)       \
  F(cuGraphMemcpyNodeGetParams) F(cuGraphExecMemcpyNodeSetParams) F(cuGraphMemsetNodeGetParams)                        \
  F(cuGraphExecMemsetNodeSetParams) F(cuGraphExecUpdate_v2)

namespace millrace {

struct Driver {
#define MILLRACE_DECLARE(name) decltype(&::name) name = nullptr;
  MILLRACE_CUDA_FUNCTIONS(MILLRACE_DECLARE)
#undef MILLRACE_DECLARE
};

extern Driver cuda;

// Loads the driver once; afterwards every pointer of `cuda` is set, or the same error comes again.
hipError_t startDriver();

// CUDA's result as HIP's: the same number where HIP has that number with that meaning, else the nearest one.
hipError_t toHip(CUresult result);

inline CUstream asCuda(hipStream_t stream) { return reinterpret_cast<CUstream>(stream); }
inline CUevent asCuda(hipEvent_t event) { return reinterpret_cast<CUevent>(event); }
inline CUgraph asCuda(hipGraph_t graph) { return reinterpret_cast<CUgraph>(graph); }
inline CUgraphNode asCuda(hipGraphNode_t node) { return reinterpret_cast<CUgraphNode>(node); }
inline CUgraphExec asCuda(hipGraphExec_t exec) { return reinterpret_cast<CUgraphExec>(exec); }
inline CUfunction asCuda(hipFunction_t function) { return reinterpret_cast<CUfunction>(function); }
inline CUdeviceptr asCuda(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

}  // namespace millrace
