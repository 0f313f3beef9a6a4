#include <cstring>
#include <vector>

#include "capture.h"
#include "control.h"
#include "graph.h"
#include "memory.h"

using namespace hipcpu;

namespace {

// HIP copies smaller unpinned sources to a staging buffer before it returns; for larger ones it waits.
constexpr size_t kStagingBytes = size_t{4} << 20;

size_t span(size_t pitch, size_t width, size_t height) { return pitch * (height - 1) + width; }

hipError_t validated(const Copy& copy, const std::optional<Allocation>& to, const std::optional<Allocation>& from) {
  if (copy.to == nullptr || copy.from == nullptr) return hipErrorInvalidValue;
  bool isKind = copy.kind >= hipMemcpyHostToHost && copy.kind <= hipMemcpyDefault;
  if (!isKind && copy.kind != hipMemcpyDeviceToDeviceNoCU) return hipErrorInvalidMemcpyDirection;
  if (copy.height > 1 && (copy.toPitch < copy.width || copy.fromPitch < copy.width)) return hipErrorInvalidPitchValue;
  bool doesFit = fits(to, copy.to, span(copy.toPitch, copy.width, copy.height)) &&
                 fits(from, copy.from, span(copy.fromPitch, copy.width, copy.height));
  if (!doesFit) return hipErrorInvalidValue;
  bool saysHost = copy.kind == hipMemcpyHostToHost || copy.kind == hipMemcpyDefault;
  return !to && !from && !saysHost ? hipErrorInvalidValue : hipSuccess;
}

// A copy of the rows one behind the other, which the task then owns.
Copy staged(const Copy& copy, std::shared_ptr<std::vector<char>>& owner) {
  owner = std::make_shared<std::vector<char>>(copy.width * copy.height);
  Copy take{owner->data(), copy.from, copy.width, copy.fromPitch, copy.width, copy.height, copy.kind};
  take.run();
  Copy rest = copy;
  rest.from = owner->data();
  rest.fromPitch = copy.width;
  return rest;
}

// Synchronous copies from device to device do not hold the host; all others do.
bool holdsHost(bool isSynchronous, const std::optional<Allocation>& to, const std::optional<Allocation>& from) {
  auto isDevice = [](const auto& memory) { return memory && memory->kind == MemoryKind::Device; };
  if (!to || !from) return true;
  return isSynchronous && !(isDevice(to) && isDevice(from));
}

hipError_t copyNow(Guard& held, Stream& stream, Copy copy, bool isSynchronous) {
  auto& runtime = Runtime::get();
  auto to = findAllocation(copy.to), from = findAllocation(copy.from);
  if (auto refused = validated(copy, to, from)) return refused;
  if (!to && !from) {
    awaitAll(held, runtime.tail(stream), stream.known);
    copy.run();
    return hipSuccess;
  }
  std::shared_ptr<std::vector<char>> owner;
  bool isStaged = !isSynchronous && !from && copy.width * copy.height <= kStagingBytes;
  if (isStaged) copy = staged(copy, owner);
  auto point = runtime.submit(stream, [copy, owner] { copy.run(); });
  if (!isStaged && holdsHost(isSynchronous, to, from)) awaitAll(held, {point}, stream.known);
  return hipSuccess;
}

hipError_t copyOn(hipStream_t handle, const Copy& copy, bool isSynchronous) {
  auto held = guard();
  auto stream = Runtime::get().stream(handle);
  if (stream == nullptr) return hipErrorContextIsDestroyed;
  if (stream->captureStatus == hipStreamCaptureStatusInvalidated) return hipErrorStreamCaptureInvalidated;
  if (copy.width == 0 || copy.height == 0) return hipSuccess;
  if (stream->captureStatus == hipStreamCaptureStatusActive) {
    auto refused = validate(copy);
    return refused ? refused : enqueue(handle, copy);
  }
  return copyNow(held, *stream, copy, isSynchronous);
}

hipError_t copyOnNullStream(const Copy& copy) {
  {
    auto held = guard();
    if (auto refused = refusedWhileAnyoneCaptures(hipErrorStreamCaptureImplicit)) return refused;
  }
  return copyOn(nullptr, copy, true);
}

Copy line(void* to, const void* from, size_t size, hipMemcpyKind kind) { return {to, from, size, size, size, 1, kind}; }

Fill fill(void* to, int value, size_t size) { return {{to, 1, 1, size, static_cast<unsigned>(value) & 0xff, size}}; }

hipError_t fillOn(hipStream_t stream, void* to, int value, size_t size) {
  auto held = guard();
  auto found = Runtime::get().stream(stream);
  if (found == nullptr) return hipErrorContextIsDestroyed;
  if (auto refused = validate(fill(to, value, size))) return refused;
  bool isCapturing = found->captureStatus != hipStreamCaptureStatusNone;
  if (size == 0 && !isCapturing) return hipSuccess;
  return enqueue(stream, fill(to, value, size));
}

// Waits only where the memory is the host's, or the address is none that an allocation begins at.
hipError_t fillAndWait(void* to, int value, size_t size) {
  auto held = guard();
  auto& runtime = Runtime::get();
  if (auto refused = refusedWhileAnyoneCaptures(hipErrorStreamCaptureImplicit)) return refused;
  if (auto refused = validate(fill(to, value, size))) return refused;
  if (size == 0) return hipSuccess;
  if (auto failed = enqueue(nullptr, fill(to, value, size))) return failed;
  auto memory = findAllocation(to);
  auto stream = runtime.stream(nullptr);
  bool isAsynchronous = memory->kind == MemoryKind::Device && memory->address == to;
  if (!isAsynchronous) awaitAll(held, runtime.tail(*stream), stream->known);
  return hipSuccess;
}

}  // namespace

hipError_t hipcpu::validate(const Copy& copy) {
  return validated(copy, findAllocation(copy.to), findAllocation(copy.from));
}

hipError_t hipcpu::validate(const Fill& fill) {
  const auto& p = fill.parameters;
  if (p.width == 0 || p.height == 0) return hipSuccess;
  if (p.elementSize != 1 && p.elementSize != 2 && p.elementSize != 4) return hipErrorInvalidValue;
  size_t width = p.width * p.elementSize;
  if (p.height > 1 && p.pitch < width) return hipErrorInvalidValue;
  auto memory = findAllocation(p.dst);
  return memory && fits(memory, p.dst, span(p.pitch, width, p.height)) ? hipSuccess : hipErrorInvalidValue;
}

hipError_t hipMemcpyAsync(void* to, const void* from, size_t size, hipMemcpyKind kind, hipStream_t stream) {
  return api(__func__, stream, CALLER, [&] { return copyOn(stream, line(to, from, size, kind), false); });
}

hipError_t hipMemcpyWithStream(void* to, const void* from, size_t size, hipMemcpyKind kind, hipStream_t stream) {
  return api(__func__, stream, CALLER, [&] { return copyOn(stream, line(to, from, size, kind), true); });
}

hipError_t hipMemcpy2DAsync(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width, size_t height,
                            hipMemcpyKind kind, hipStream_t stream) {
  return api(__func__, stream, CALLER,
             [&] { return copyOn(stream, {to, from, toPitch, fromPitch, width, height, kind}, false); });
}

hipError_t hipMemcpy(void* to, const void* from, size_t size, hipMemcpyKind kind) {
  return api(__func__, nullptr, CALLER, [&] { return copyOnNullStream(line(to, from, size, kind)); });
}

hipError_t hipMemcpy2D(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width, size_t height,
                       hipMemcpyKind kind) {
  return api(__func__, nullptr, CALLER,
             [&] { return copyOnNullStream({to, from, toPitch, fromPitch, width, height, kind}); });
}

hipError_t hipMemsetAsync(void* to, int value, size_t size, hipStream_t stream) {
  return api(__func__, stream, CALLER, [&] { return fillOn(stream, to, value, size); });
}

hipError_t hipMemset(void* to, int value, size_t size) {
  return api(__func__, nullptr, CALLER, [&] { return fillAndWait(to, value, size); });
}
