#include <bit>
#include <ctime>

#include "capture.h"
#include "control.h"
#include "runtime.h"

using namespace hipcpu;

namespace {

constexpr unsigned kReleaseFlags = hipEventReleaseToDevice | hipEventReleaseToSystem | hipEventDisableSystemFence;
constexpr unsigned kAllFlags = hipEventBlockingSync | hipEventDisableTiming | hipEventInterprocess | kReleaseFlags;

// ROCm's device clock.
int64_t now() {
  timespec time;
  clock_gettime(CLOCK_BOOTTIME, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

hipError_t create(hipEvent_t* event, unsigned flags) {
  if (event == nullptr) return hipErrorInvalidValue;
  bool interprocessWithTiming = (flags & hipEventInterprocess) && !(flags & hipEventDisableTiming);
  if ((flags & ~kAllFlags) || std::popcount(flags & kReleaseFlags) > 1 || interprocessWithTiming) {
    return hipErrorInvalidValue;
  }
  auto made = std::make_shared<Event>();
  made->device = threadState().device;
  made->flags = flags;
  auto held = guard();
  *event = static_cast<hipEvent_t>(Runtime::get().events.add(made));
  return hipSuccess;
}

// The stream that the event was last recorded on; null for null streams and for streams that are gone.
std::shared_ptr<Stream> recordedOn(const Event& event) {
  return isNullHandle(event.stream) ? nullptr : Runtime::get().stream(event.stream);
}

hipError_t waitFor(hipStream_t streamHandle, hipEvent_t handle, unsigned flags) {
  auto held = guard();
  auto& runtime = Runtime::get();
  auto event = runtime.events.find(handle);
  auto stream = runtime.stream(streamHandle);
  if (event == nullptr || stream == nullptr) return hipErrorInvalidHandle;
  auto source = recordedOn(*event);
  if (source != nullptr && source->capturedEvents.count(handle) > 0) {
    if (stream->isNull) return hipErrorInvalidHandle;
    joinCapture(*stream, source, event->capturedAfter);
    return hipSuccess;
  }
  if (source == nullptr && !isNullHandle(event->stream)) return hipSuccess;  // its stream is gone, so it is done
  if (flags != hipEventWaitDefault) return hipErrorInvalidValue;
  if (source != nullptr && source->captureStatus == hipStreamCaptureStatusActive) return hipErrorStreamCaptureIsolation;
  if (!event->recorded) return hipSuccess;
  // Also where the waiting stream is being captured: HIP then waits now, and the graph knows nothing of it.
  stream->known = merged(stream->known, event->known);
  if (event->point.queue == stream->queue || event->point.done()) return hipSuccess;
  runtime.submit(*stream, [point = event->point] { point.await(); });
  return hipSuccess;
}

// An event that was recorded in a capture must not be asked: that breaks the capture.
hipError_t refusedInCapture(const Event& event) {
  auto stream = recordedOn(event);
  if (stream == nullptr || stream->captureStatus != hipStreamCaptureStatusActive) return hipSuccess;
  stream->captureStatus = hipStreamCaptureStatusInvalidated;
  return hipErrorCapturedEvent;
}

hipError_t query(hipEvent_t handle) {
  auto held = guard();
  auto& runtime = Runtime::get();
  auto event = runtime.events.find(handle);
  if (event == nullptr) return hipErrorInvalidHandle;
  if (auto refused = refusedInCapture(*event)) return refused;
  if (!event->point.done()) return hipErrorNotReady;
  runtime.hostKnown = merged(runtime.hostKnown, event->known);
  return hipSuccess;
}

hipError_t synchronize(hipEvent_t handle) {
  auto held = guard();
  auto event = Runtime::get().events.find(handle);
  if (event == nullptr) return hipErrorInvalidHandle;
  if (auto refused = refusedInCapture(*event)) return refused;
  if (auto stream = recordedOn(*event); stream != nullptr && captureForbidsAsking(stream)) {
    return hipErrorStreamCaptureUnsupported;
  }
  awaitAll(held, {event->point}, event->known);
  return hipSuccess;
}

hipError_t elapsed(float* milliseconds, hipEvent_t from, hipEvent_t to) {
  if (milliseconds == nullptr) return hipErrorInvalidValue;
  auto held = guard();
  auto& runtime = Runtime::get();
  auto start = runtime.events.find(from), stop = runtime.events.find(to);
  if (start == nullptr || stop == nullptr || start->device != stop->device) return hipErrorInvalidHandle;
  if (!start->recorded || !stop->recorded) return hipErrorInvalidHandle;
  if ((start->flags | stop->flags) & hipEventDisableTiming) return hipErrorInvalidHandle;
  if (!start->point.done() || !stop->point.done()) return hipErrorNotReady;
  *milliseconds = static_cast<float>(stop->time->nanoseconds - start->time->nanoseconds) / 1e6f;
  return hipSuccess;
}

hipError_t destroy(hipEvent_t handle) {
  if (handle == nullptr) return hipErrorInvalidHandle;
  auto held = guard();
  auto event = Runtime::get().events.remove(handle);
  if (event == nullptr) return hipErrorContextIsDestroyed;
  if (auto stream = recordedOn(*event)) stream->capturedEvents.erase(handle);
  return hipSuccess;
}

hipError_t record(hipEvent_t event, hipStream_t stream, unsigned flags) {
  auto held = guard();
  return recordEvent(event, stream, flags);
}

}  // namespace

hipError_t hipcpu::recordEvent(hipEvent_t handle, hipStream_t streamHandle, unsigned flags) {
  auto& runtime = Runtime::get();
  auto event = runtime.events.find(handle);
  if (event == nullptr) return hipErrorInvalidHandle;
  if (flags > hipEventRecordExternal) return hipErrorInvalidValue;
  auto stream = runtime.stream(streamHandle);
  if (stream == nullptr) return hipErrorContextIsDestroyed;
  bool isCaptured = stream->captureStatus == hipStreamCaptureStatusActive;
  if (isCaptured && flags == hipEventRecordExternal) return hipErrorNotSupported;
  if (!isCaptured && event->device != stream->device) return hipErrorInvalidHandle;
  event->stream = stream->handle;
  if (isCaptured) {
    stream->capturedEvents.insert(handle);
    if (!stream->lastNodes.empty()) event->capturedAfter = stream->lastNodes;
    return hipSuccess;
  }
  auto time = std::make_shared<Timestamp>();
  event->point = runtime.submit(*stream, [time] { time->nanoseconds = now(); });
  event->time = time;
  event->known = stream->known;
  event->recorded = true;
  return hipSuccess;
}

hipError_t hipEventCreate(hipEvent_t* event) {
  return api(__func__, kNoStream, CALLER, [&] { return create(event, hipEventDefault); });
}

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  return api(__func__, kNoStream, CALLER, [&] { return create(event, flags); });
}

hipError_t hipEventDestroy(hipEvent_t event) {
  return api(__func__, kNoStream, CALLER, [&] { return destroy(event); });
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return api(__func__, stream, CALLER, [&] { return record(event, stream, hipEventRecordDefault); });
}

hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned flags) {
  return api(__func__, stream, CALLER, [&] { return record(event, stream, flags); });
}

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags) {
  return api(__func__, stream, CALLER, [&] { return waitFor(stream, event, flags); });
}

hipError_t hipEventQuery(hipEvent_t event) {
  return api(__func__, kNoStream, CALLER, [&] { return query(event); });
}

hipError_t hipEventSynchronize(hipEvent_t event) {
  return api(__func__, kNoStream, CALLER, [&] { return synchronize(event); });
}

hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t start, hipEvent_t stop) {
  return api(__func__, kNoStream, CALLER, [&] { return elapsed(milliseconds, start, stop); });
}
