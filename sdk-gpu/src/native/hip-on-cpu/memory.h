// The memory that the runtime knows: device memory (host memory, really), pinned memory, and registered memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "hip_abi.h"

namespace hipcpu {

enum class MemoryKind { Device, Pinned, Registered };

struct Allocation {
  char* address = nullptr;
  size_t size = 0;
  int device = 0;
  MemoryKind kind = MemoryKind::Device;
  unsigned flags = 0;
  bool isDying = false;  // a free is under way: a second one is an error
};

size_t deviceMemoryLimit();
size_t deviceMemoryUsed(int device);
long liveBytes();
long liveRegistrations();
// Allocations behind whose end somebody had written when they were freed.
long overruns();

// Fresh memory is filled with ones: not-a-number in every floating-point type, -1 in the others.
hipError_t allocate(void** pointer, size_t size, int device, MemoryKind kind, unsigned flags);
void registerMemory(void* pointer, size_t size, int device, unsigned flags);
bool unregisterMemory(void* pointer);

// The allocation that this address lies in.
std::optional<Allocation> findAllocation(const void* pointer);
// Marks as dying what begins at this address; nothing if nothing does, or if it is dying or only registered.
std::optional<Allocation> beginFree(void* pointer);
void finishFree(const Allocation& allocation);

// False if the bytes begin in a known allocation and run over its end.
bool fits(const std::optional<Allocation>& allocation, const void* pointer, size_t bytes);

}  // namespace hipcpu
