#include <cstdint>
#include <set>

#include "capture.h"
#include "control.h"
#include "memory.h"
#include "runtime.h"

using namespace hipcpu;

namespace {

constexpr unsigned kHostFlags = hipHostMallocPortable | hipHostMallocMapped | hipHostMallocWriteCombined |
                                hipHostMallocNumaUser | hipHostMallocCoherent | hipHostMallocNonCoherent;
constexpr unsigned kBothCoherences = hipHostMallocCoherent | hipHostMallocNonCoherent;
constexpr unsigned kRegisterFlags = 15;

hipError_t refusedInCaptures() {
  auto held = guard();
  return refusedWhileCapturing();
}

hipError_t make(void** pointer, size_t size, MemoryKind kind, unsigned flags) {
  if (auto refused = refusedInCaptures()) return refused;
  if (pointer == nullptr) return hipErrorInvalidValue;
  *pointer = nullptr;
  if (size == 0) return hipSuccess;
  return allocate(pointer, size, threadState().device, kind, flags);
}

void awaitDevice(int device) {
  auto held = guard();
  awaitAll(held, Runtime::get().tailOfDevice(device), knownOnDevice(device));
}

// HIP first waits for all work of the memory's device.
hipError_t release(void* pointer) {
  if (auto refused = refusedInCaptures()) return refused;
  if (pointer == nullptr) return hipSuccess;
  auto allocation = beginFree(pointer);
  if (!allocation) return hipErrorInvalidValue;
  awaitDevice(allocation->device);
  finishFree(*allocation);
  return hipSuccess;
}

// The stream's queue, or why memory cannot come and go on it.
hipError_t orderedStream(hipStream_t handle, std::shared_ptr<Stream>& stream) {
  stream = Runtime::get().stream(handle);
  if (stream == nullptr) return hipErrorContextIsDestroyed;
  if (stream->captureStatus == hipStreamCaptureStatusInvalidated) return hipErrorStreamCaptureInvalidated;
  // HIP makes allocation nodes; that is not imitated
  return stream->captureStatus == hipStreamCaptureStatusActive ? hipErrorNotSupported : hipSuccess;
}

hipError_t makeInOrder(void** pointer, size_t size, hipStream_t handle) {
  if (pointer == nullptr) return hipErrorInvalidValue;
  auto held = guard();
  std::shared_ptr<Stream> stream;
  if (auto refused = orderedStream(handle, stream)) return refused;
  *pointer = nullptr;
  if (size == 0) return hipSuccess;
  return allocate(pointer, size, stream->device, MemoryKind::Device, 0);
}

hipError_t releaseInOrder(void* pointer, hipStream_t handle) {
  if (pointer == nullptr) return hipErrorInvalidValue;
  auto held = guard();
  std::shared_ptr<Stream> stream;
  if (auto refused = orderedStream(handle, stream)) return refused;
  auto allocation = beginFree(pointer);
  if (!allocation) return hipErrorInvalidValue;
  Runtime::get().submit(*stream, [allocation = *allocation] { finishFree(allocation); });
  return hipSuccess;
}

hipMemPool_t poolOf(int device) {
  static void* const* const pools = [] {
    auto* made = new void*[kMaxDevices];
    for (int i = 0; i < kMaxDevices; ++i) made[i] = newHandle();
    return made;
  }();
  return static_cast<hipMemPool_t>(pools[device]);
}

bool isPool(hipMemPool_t pool) {
  for (int device = 0; device < deviceCount(); ++device) {
    if (poolOf(device) == pool) return true;
  }
  return false;
}

hipError_t describe(hipPointerAttribute_t* attributes, const void* pointer) {
  if (attributes == nullptr || pointer == nullptr) return hipErrorInvalidValue;
  *attributes = {};
  auto found = findAllocation(pointer);
  if (!found) {
    attributes->type = hipMemoryTypeUnregistered;
    attributes->device = -2;  // hipInvalidDeviceId
    return hipSuccess;
  }
  bool isDevice = found->kind == MemoryKind::Device;
  attributes->type = isDevice ? hipMemoryTypeDevice : hipMemoryTypeHost;
  attributes->device = found->device;
  attributes->devicePointer = const_cast<void*>(pointer);
  attributes->hostPointer = isDevice ? nullptr : const_cast<void*>(pointer);
  attributes->allocationFlags = found->flags;
  return hipSuccess;
}

}  // namespace

hipError_t hipMalloc(void** pointer, size_t size) {
  return api(__func__, kNoStream, CALLER, [&] { return make(pointer, size, MemoryKind::Device, 0); });
}

hipError_t hipFree(void* pointer) {
  return api(__func__, kNoStream, CALLER, [&] { return release(pointer); });
}

hipError_t hipHostMalloc(void** pointer, size_t size, unsigned flags) {
  return api(__func__, kNoStream, CALLER, [&] {
    if ((flags & ~kHostFlags) != 0 || (flags & kBothCoherences) == kBothCoherences) return hipErrorInvalidValue;
    return make(pointer, size, MemoryKind::Pinned, flags);
  });
}

hipError_t hipHostFree(void* pointer) {
  return api(__func__, kNoStream, CALLER, [&] { return release(pointer); });
}

hipError_t hipHostRegister(void* pointer, size_t size, unsigned flags) {
  return api(__func__, kNoStream, CALLER, [&] {
    if (auto refused = refusedInCaptures()) return refused;
    if (pointer == nullptr || size == 0 || flags > kRegisterFlags) return hipErrorInvalidValue;
    registerMemory(pointer, size, threadState().device, flags);
    return hipSuccess;
  });
}

hipError_t hipHostUnregister(void* pointer) {
  return api(__func__, kNoStream, CALLER, [&] {
    if (auto refused = refusedInCaptures()) return refused;
    if (pointer == nullptr) return hipErrorInvalidValue;
    auto found = findAllocation(pointer);
    if (!found) return hipErrorHostMemoryNotRegistered;
    awaitDevice(found->device);
    return unregisterMemory(pointer) ? hipSuccess : hipErrorHostMemoryNotRegistered;
  });
}

hipError_t hipHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return api(__func__, kNoStream, CALLER, [&] {
    if (device == nullptr || flags != 0 || !findAllocation(host)) return hipErrorInvalidValue;
    *device = host;
    return hipSuccess;
  });
}

hipError_t hipMallocAsync(void** pointer, size_t size, hipStream_t stream) {
  return api(__func__, stream, CALLER, [&] { return makeInOrder(pointer, size, stream); });
}

hipError_t hipFreeAsync(void* pointer, hipStream_t stream) {
  return api(__func__, stream, CALLER, [&] { return releaseInOrder(pointer, stream); });
}

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* pool, int device) {
  return api(__func__, kNoStream, CALLER, [&] {
    if (pool == nullptr || device < 0 || device >= deviceCount()) return hipErrorInvalidValue;
    *pool = poolOf(device);
    return hipSuccess;
  });
}

hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void* value) {
  return api(__func__, kNoStream, CALLER, [&] {
    if (!isPool(pool) || value == nullptr) return hipErrorInvalidValue;
    // Memory goes back at once, so there is nothing that the values would change.
    bool isKnown = attribute >= hipMemPoolReuseFollowEventDependencies && attribute <= hipMemPoolAttrUsedMemHigh;
    return isKnown ? hipSuccess : hipErrorInvalidValue;
  });
}

hipError_t hipMemPoolTrimTo(hipMemPool_t pool, size_t) {
  return api(__func__, kNoStream, CALLER, [&] { return isPool(pool) ? hipSuccess : hipErrorInvalidValue; });
}

hipError_t hipMemGetInfo(size_t* free, size_t* total) {
  return api(__func__, kNoStream, CALLER, [&] {
    if (free == nullptr || total == nullptr) return hipErrorInvalidValue;
    size_t limit = deviceMemoryLimit(), used = deviceMemoryUsed(threadState().device);
    *total = limit;
    *free = used > limit ? 0 : limit - used;  // the limit may have been lowered meanwhile
    return hipSuccess;
  });
}

hipError_t hipMemPtrGetInfo(void* pointer, size_t* size) {
  return api(__func__, kNoStream, CALLER, [&] {
    auto found = findAllocation(pointer);
    if (!found || size == nullptr) return hipErrorInvalidValue;
    *size = found->size;
    return hipSuccess;
  });
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* pointer) {
  return api(__func__, kNoStream, CALLER, [&] { return describe(attributes, pointer); });
}
