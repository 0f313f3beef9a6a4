#include <algorithm>

#include "capture.h"
#include "control.h"
#include "graph.h"
#include "runtime.h"

using namespace hipcpu;

namespace {

constexpr int kGreatest = -1, kLeast = 1;

hipError_t create(hipStream_t* stream, unsigned flags, int priority) {
  if (stream == nullptr) return hipErrorInvalidValue;
  if (flags != hipStreamDefault && flags != hipStreamNonBlocking) return hipErrorInvalidValue;
  auto held = guard();
  *stream =
      Runtime::get().newStream(threadState().device, flags, std::clamp(priority, kGreatest, kLeast), false)->handle;
  return hipSuccess;
}

// HIP waits until the stream's work is done.
hipError_t destroy(hipStream_t handle) {
  if (handle == nullptr) return hipErrorInvalidHandle;
  if (handle == hipStreamPerThread) return hipErrorInvalidResourceHandle;
  auto held = guard();
  auto& runtime = Runtime::get();
  auto stream = runtime.streams.find(handle);
  if (stream == nullptr || stream->closing || stream->hidden) return hipErrorContextIsDestroyed;
  abandonCapture(stream);
  stream->closing = true;
  awaitAll(held, runtime.tail(*stream), stream->known);
  runtime.streams.remove(handle);
  return hipSuccess;
}

hipError_t query(hipStream_t handle) {
  auto held = guard();
  auto& runtime = Runtime::get();
  auto stream = runtime.stream(handle);
  if (stream == nullptr) return hipErrorContextIsDestroyed;
  if (captureForbidsAsking(stream)) return hipErrorStreamCaptureUnsupported;
  auto tail = runtime.tail(*stream);
  if (!std::all_of(tail.begin(), tail.end(), [](const Point& point) { return point.done(); })) return hipErrorNotReady;
  runtime.hostKnown = merged(runtime.hostKnown, stream->known);
  return hipSuccess;
}

hipError_t synchronize(hipStream_t handle) {
  auto held = guard();
  auto& runtime = Runtime::get();
  auto stream = runtime.stream(handle);
  if (stream == nullptr) return hipErrorContextIsDestroyed;
  if (captureForbidsAsking(stream)) return hipErrorStreamCaptureUnsupported;
  awaitAll(held, runtime.tail(*stream), stream->known);
  return hipSuccess;
}

// Reads one property of a live stream.
template <typename Read>
hipError_t ask(hipStream_t handle, Read&& read) {
  auto held = guard();
  auto stream = Runtime::get().stream(handle);
  if (stream == nullptr) return hipErrorContextIsDestroyed;
  read(*stream);
  return hipSuccess;
}

}  // namespace

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags) {
  return api(__func__, kNoStream, CALLER, [&] { return create(stream, flags, 0); });
}

hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned flags, int priority) {
  return api(__func__, kNoStream, CALLER, [&] { return create(stream, flags, priority); });
}

hipError_t hipExtStreamCreateWithCUMask(hipStream_t* stream, uint32_t size, const uint32_t* mask) {
  return api(__func__, kNoStream, CALLER, [&] {
    if (stream == nullptr) return hipErrorInvalidHandle;
    if (size == 0 || mask == nullptr) return hipErrorInvalidValue;
    return create(stream, hipStreamDefault, 0);  // a blocking one: HIP takes no flags here
  });
}

hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api(__func__, kNoStream, CALLER, [&] {
    if (least != nullptr) *least = kLeast;
    if (greatest != nullptr) *greatest = kGreatest;
    return hipSuccess;
  });
}

hipError_t hipStreamDestroy(hipStream_t stream) {
  return api(__func__, stream, CALLER, [&] { return destroy(stream); });
}

hipError_t hipStreamQuery(hipStream_t stream) {
  return api(__func__, stream, CALLER, [&] { return query(stream); });
}

hipError_t hipStreamSynchronize(hipStream_t stream) {
  return api(__func__, stream, CALLER, [&] { return synchronize(stream); });
}

hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device) {
  return api(__func__, stream, CALLER, [&] {
    if (device == nullptr) return hipErrorInvalidValue;
    if (stream == hipStreamLegacy) return hipErrorInvalidHandle;  // HIP 6.4 reads from address 1 and dies
    return ask(stream, [&](const Stream& found) { *device = found.device; });
  });
}

hipError_t hipStreamGetFlags(hipStream_t stream, unsigned* flags) {
  return api(__func__, stream, CALLER, [&] {
    if (flags == nullptr || isNullHandle(stream)) return hipErrorInvalidValue;
    return ask(stream, [&](const Stream& found) { *flags = found.flags; });
  });
}

hipError_t hipStreamGetPriority(hipStream_t stream, int* priority) {
  return api(__func__, stream, CALLER, [&] {
    if (priority == nullptr) return hipErrorInvalidValue;
    return ask(stream, [&](const Stream& found) { *priority = found.priority; });
  });
}

hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void* userData) {
  return api(__func__, stream, CALLER, [&] {
    if (function == nullptr) return hipErrorInvalidValue;
    auto held = guard();
    return enqueue(stream, HostCall{function, userData});
  });
}

hipError_t hipDeviceSynchronize(void) {
  return api(__func__, kNoStream, CALLER, [&] {
    auto held = guard();
    if (auto refused = refusedWhileAnyoneCaptures(hipErrorStreamCaptureUnsupported)) return refused;
    int device = threadState().device;
    awaitAll(held, Runtime::get().tailOfDevice(device), knownOnDevice(device));
    return hipSuccess;
  });
}
