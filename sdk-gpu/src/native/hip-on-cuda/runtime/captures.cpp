#include "captures.h"

#include <mutex>
#include <unordered_map>

#include "live_streams.h"

namespace millrace {

std::atomic<int> openCaptures{0};

namespace {

std::mutex lock;
std::unordered_map<hipEvent_t, cuuint64_t> recordedIn;

// The number of the capture that the stream takes part in, or 0.
cuuint64_t captureOf(hipStream_t stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  cuuint64_t id = 0;
  if (isNullStream(stream) || cuda.cuStreamGetCaptureInfo_v3(asCuda(stream), &status, &id, nullptr, nullptr, nullptr,
                                                             nullptr) != CUDA_SUCCESS) {
    return 0;
  }
  return status == CU_STREAM_CAPTURE_STATUS_ACTIVE ? id : 0;
}

}  // namespace

void captureBegun() { openCaptures.fetch_add(1, std::memory_order_relaxed); }

void captureEnded() {
  if (openCaptures.fetch_sub(1, std::memory_order_relaxed) == 1) {
    std::lock_guard guard(lock);
    recordedIn.clear();
  }
}

CUstreamCaptureStatus captureStatus(hipStream_t stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  if (!isNullStream(stream)) {
    cuda.cuStreamIsCapturing(asCuda(stream), &status);
  }
  return status;
}

void noteRecord(hipEvent_t event, hipStream_t stream) {
  cuuint64_t id = captureOf(stream);
  std::lock_guard guard(lock);
  if (id == 0) {
    recordedIn.erase(event);
  } else {
    recordedIn[event] = id;
  }
}

bool crossesCapture(hipStream_t stream, hipEvent_t event) {
  cuuint64_t id = captureOf(stream);
  if (id == 0) {
    return false;
  }
  std::lock_guard guard(lock);
  auto place = recordedIn.find(event);
  return place == recordedIn.end() || place->second != id;
}

void forgetEvent(hipEvent_t event) {
  if (anyCaptureOpen()) {
    std::lock_guard guard(lock);
    recordedIn.erase(event);
  }
}

}  // namespace millrace
