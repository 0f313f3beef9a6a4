#include "captures.h"
#include "control.h"

using namespace millrace;

namespace {

constexpr unsigned fences = hipEventDisableSystemFence | hipEventReleaseToDevice | hipEventReleaseToSystem;
constexpr unsigned cudaFlags = hipEventBlockingSync | hipEventDisableTiming | hipEventInterprocess;

// CUDA's events always make memory visible everywhere, so the fence flags change nothing.
bool legal(unsigned flags) {
  bool bothReleases = (flags & hipEventReleaseToDevice) && (flags & hipEventReleaseToSystem);
  bool timedInterprocess = (flags & hipEventInterprocess) && !(flags & hipEventDisableTiming);
  return (flags & ~(fences | cudaFlags)) == 0 && !bothReleases && !timedInterprocess;
}

// An event belongs to the device that was current when it was made, and is recorded on that device's streams.
hipError_t create(hipEvent_t* event, unsigned flags) {
  if (event == nullptr || !legal(flags)) {
    return hipErrorInvalidValue;
  }
  hipError_t status = toHip(cuda.cuEventCreate(reinterpret_cast<CUevent*>(event), flags & cudaFlags));
  countLive(Live::events, status == hipSuccess ? 1 : 0);
  return status;
}

hipError_t record(hipEvent_t event, hipStream_t stream, unsigned flags) {
  CUresult result = flags == hipEventRecordDefault ? cuda.cuEventRecord(asCuda(event), asCuda(stream))
                                                   : cuda.cuEventRecordWithFlags(asCuda(event), asCuda(stream), flags);
  if (anyCaptureOpen()) [[unlikely]] {
    noteRecord(event, stream);
  }
  return toHip(result);
}

}  // namespace

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  return deviceCall("hipEventCreateWithFlags", [&] { return create(event, flags); });
}

hipError_t hipEventCreate(hipEvent_t* event) {
  return deviceCall("hipEventCreate", [&] { return create(event, hipEventDefault); });
}

hipError_t hipEventDestroy(hipEvent_t event) {
  return deviceCall("hipEventDestroy", [&]() -> hipError_t {
    if (event == nullptr) {
      return hipErrorInvalidHandle;
    }
    forgetEvent(event);
    hipError_t status = toHip(cuda.cuEventDestroy_v2(asCuda(event)));
    countLive(Live::events, status == hipSuccess ? -1 : 0);
    return status;
  });
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return streamCall("hipEventRecord", stream, [&]() -> hipError_t {
    return event == nullptr ? hipErrorInvalidHandle : record(event, stream, hipEventRecordDefault);
  });
}

hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned flags) {
  return streamCall("hipEventRecordWithFlags", stream, [&]() -> hipError_t {
    if (flags > hipEventRecordExternal) {
      return hipErrorInvalidValue;
    }
    return event == nullptr ? hipErrorInvalidHandle : record(event, stream, flags);
  });
}

hipError_t hipEventQuery(hipEvent_t event) {
  return deviceCall("hipEventQuery", [&]() -> hipError_t {
    return event == nullptr ? hipErrorInvalidHandle : toHip(cuda.cuEventQuery(asCuda(event)));
  });
}

hipError_t hipEventSynchronize(hipEvent_t event) {
  return deviceCall("hipEventSynchronize", [&]() -> hipError_t {
    return event == nullptr ? hipErrorInvalidHandle : toHip(cuda.cuEventSynchronize(asCuda(event)));
  });
}

hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t start, hipEvent_t stop) {
  return deviceCall("hipEventElapsedTime", [&]() -> hipError_t {
    if (milliseconds == nullptr) {
      return hipErrorInvalidValue;
    }
    if (start == nullptr || stop == nullptr) {
      return hipErrorInvalidHandle;
    }
    return toHip(cuda.cuEventElapsedTime_v2(milliseconds, asCuda(start), asCuda(stop)));
  });
}
