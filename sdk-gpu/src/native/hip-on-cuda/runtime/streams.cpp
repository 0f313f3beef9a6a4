#include <algorithm>

#include "captures.h"
#include "control.h"

using namespace millrace;

namespace {

// HIP has three priorities, 1 (low) to -1 (high); CUDA's range depends on the device. The middle one is normal.
struct PriorityRange {
  int least = 0;
  int greatest = 0;

  int toCuda(int priority) const {
    return priority > 0 ? least : priority < 0 ? greatest : (least + greatest) / 2;
  }
  int toHip(int priority) const { return priority == (least + greatest) / 2 ? 0 : priority >= least ? 1 : -1; }
};

PriorityRange priorities() {
  PriorityRange range;
  cuda.cuCtxGetStreamPriorityRange(&range.least, &range.greatest);
  return range;
}

hipError_t create(hipStream_t* stream, unsigned flags, int priority) {
  if (stream == nullptr || (flags != hipStreamDefault && flags != hipStreamNonBlocking)) {
    return hipErrorInvalidValue;
  }
  CUstream made;
  if (hipError_t status = toHip(cuda.cuStreamCreateWithPriority(&made, flags, priorities().toCuda(priority)))) {
    return status;
  }
  *stream = reinterpret_cast<hipStream_t>(made);
  if (!liveStreams.add(*stream)) {
    cuda.cuStreamDestroy_v2(made);
    return hipErrorOutOfMemory;
  }
  countLive(Live::streams, 1);
  return hipSuccess;
}

// HIP waits for the stream's work. A capturing stream cannot be waited for; its capture ends with it.
hipError_t destroy(hipStream_t stream) {
  if (captureStatus(stream) != CU_STREAM_CAPTURE_STATUS_NONE) {
    CUgraph graph = nullptr;
    cuda.cuStreamEndCapture(asCuda(stream), &graph);
    if (graph != nullptr) {
      cuda.cuGraphDestroy(graph);
    }
    captureEnded();
  } else {
    cuda.cuStreamSynchronize(asCuda(stream));
  }
  countLive(Live::streams, -1);
  return toHip(cuda.cuStreamDestroy_v2(asCuda(stream)));
}

}  // namespace

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags) {
  return deviceCall("hipStreamCreateWithFlags", [&] { return create(stream, flags, 0); });
}

hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned flags, int priority) {
  return deviceCall("hipStreamCreateWithPriority", [&] { return create(stream, flags, priority); });
}

// CUDA's streams cannot be kept to some of the multiprocessors.
hipError_t hipExtStreamCreateWithCUMask(hipStream_t* stream, uint32_t size, const uint32_t* mask) {
  return deviceCall("hipExtStreamCreateWithCUMask", [&]() -> hipError_t {
    return stream == nullptr || size == 0 || mask == nullptr ? hipErrorInvalidValue : hipErrorNotSupported;
  });
}

hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return deviceCall("hipDeviceGetStreamPriorityRange", [&]() -> hipError_t {
    if (least != nullptr) {
      *least = 1;
    }
    if (greatest != nullptr) {
      *greatest = -1;
    }
    return hipSuccess;
  });
}

hipError_t hipStreamDestroy(hipStream_t stream) {
  return call("hipStreamDestroy", stream, [&]() -> hipError_t {
    if (reinterpret_cast<uintptr_t>(stream) <= 2) {
      return hipErrorInvalidHandle;
    }
    if (hipError_t status = attach()) {
      return status;
    }
    return liveStreams.remove(stream) ? destroy(stream) : hipErrorContextIsDestroyed;
  });
}

hipError_t hipStreamQuery(hipStream_t stream) {
  return streamCall("hipStreamQuery", stream, [&] { return toHip(cuda.cuStreamQuery(asCuda(stream))); });
}

hipError_t hipStreamSynchronize(hipStream_t stream) {
  return streamCall("hipStreamSynchronize", stream, [&] { return toHip(cuda.cuStreamSynchronize(asCuda(stream))); });
}

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags) {
  return streamCall("hipStreamWaitEvent", stream, [&]() -> hipError_t {
    if (event == nullptr) [[unlikely]] {
      return hipErrorInvalidHandle;
    }
    if (anyCaptureOpen() && crossesCapture(stream, event)) [[unlikely]] {
      return hipSuccess;
    }
    return toHip(cuda.cuStreamWaitEvent(asCuda(stream), asCuda(event), flags));
  });
}

hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device) {
  return streamCall("hipStreamGetDevice", stream, [&]() -> hipError_t {
    if (device == nullptr) {
      return hipErrorInvalidValue;
    }
    if (reinterpret_cast<uintptr_t>(stream) <= 2) {
      *device = self.device;
      return hipSuccess;
    }
    return toHip(cuda.cuStreamGetDevice(asCuda(stream), device));
  });
}

hipError_t hipStreamGetFlags(hipStream_t stream, unsigned* flags) {
  return streamCall("hipStreamGetFlags", stream, [&]() -> hipError_t {
    return flags == nullptr ? hipErrorInvalidValue : toHip(cuda.cuStreamGetFlags(asCuda(stream), flags));
  });
}

hipError_t hipStreamGetPriority(hipStream_t stream, int* priority) {
  return streamCall("hipStreamGetPriority", stream, [&]() -> hipError_t {
    if (priority == nullptr) {
      return hipErrorInvalidValue;
    }
    if (isNullStream(stream)) {
      *priority = 0;
      return hipSuccess;
    }
    int value = 0;
    hipError_t status = toHip(cuda.cuStreamGetPriority(asCuda(stream), &value));
    *priority = priorities().toHip(value);
    return status;
  });
}

hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void* userData) {
  return streamCall("hipLaunchHostFunc", stream, [&]() -> hipError_t {
    return function == nullptr ? hipErrorInvalidValue
                               : toHip(cuda.cuLaunchHostFunc(asCuda(stream), function, userData));
  });
}

// HIP says of the null stream that it is never capturing; CUDA would refuse to say while another stream captures.
hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* status) {
  return streamCall("hipStreamIsCapturing", stream, [&]() -> hipError_t {
    if (status == nullptr) [[unlikely]] {
      return hipErrorInvalidValue;
    }
    *status = hipStreamCaptureStatusNone;
    return isNullStream(stream) ? hipSuccess
                                : toHip(cuda.cuStreamIsCapturing(asCuda(stream),
                                                                 reinterpret_cast<CUstreamCaptureStatus*>(status)));
  });
}

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus* status, unsigned long long* id,
                                      hipGraph_t* graph, const hipGraphNode_t** dependencies, size_t* count) {
  return streamCall("hipStreamGetCaptureInfo_v2", stream, [&]() -> hipError_t {
    if (status == nullptr) {
      return hipErrorInvalidValue;
    }
    *status = hipStreamCaptureStatusNone;
    if (isNullStream(stream)) {
      return hipSuccess;
    }
    cuuint64_t number = 0;
    hipError_t result = toHip(cuda.cuStreamGetCaptureInfo_v3(
        asCuda(stream), reinterpret_cast<CUstreamCaptureStatus*>(status), &number, reinterpret_cast<CUgraph*>(graph),
        reinterpret_cast<const CUgraphNode**>(dependencies), nullptr, count));
    if (id != nullptr) {
      *id = number;
    }
    return result;
  });
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
  return deviceCall("hipThreadExchangeStreamCaptureMode", [&]() -> hipError_t {
    if (mode == nullptr) {
      return hipErrorInvalidValue;
    }
    return toHip(cuda.cuThreadExchangeStreamCaptureMode(reinterpret_cast<CUstreamCaptureMode*>(mode)));
  });
}

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
  return streamCall("hipStreamBeginCapture", stream, [&]() -> hipError_t {
    if (isNullStream(stream)) {
      return hipErrorStreamCaptureUnsupported;
    }
    hipError_t status = toHip(cuda.cuStreamBeginCapture_v2(asCuda(stream), static_cast<CUstreamCaptureMode>(mode)));
    if (status == hipSuccess) {
      captureBegun();
    }
    return status;
  });
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* graph) {
  return streamCall("hipStreamEndCapture", stream, [&]() -> hipError_t {
    if (graph == nullptr) {
      return hipErrorInvalidValue;
    }
    *graph = nullptr;
    bool before = captureStatus(stream) != CU_STREAM_CAPTURE_STATUS_NONE;
    hipError_t status = toHip(cuda.cuStreamEndCapture(asCuda(stream), reinterpret_cast<CUgraph*>(graph)));
    if (before && captureStatus(stream) == CU_STREAM_CAPTURE_STATUS_NONE) {
      captureEnded();
    }
    countLive(Live::graphs, *graph != nullptr ? 1 : 0);
    return status;
  });
}
