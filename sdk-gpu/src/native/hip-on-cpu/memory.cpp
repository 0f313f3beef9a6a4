#include "memory.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "hip_on_cpu.h"
#include "runtime.h"

namespace hipcpu {
namespace {

constexpr size_t kAlignment = 256;
constexpr size_t kRedZone = 256;
constexpr unsigned char kPoison = 0xff;
constexpr unsigned char kRedZoneFill = 0xfa;
constexpr size_t kDefaultLimit = size_t{16} << 30;

struct Memory {
  std::mutex lock;
  std::map<uintptr_t, Allocation> allocations;
  size_t limit = kDefaultLimit;
  size_t used[kMaxDevices] = {};
  size_t pinned = 0;
  long overruns = 0;
};

Memory& memory() {
  static Memory* only = new Memory;
  return *only;
}

size_t padded(size_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; }

uintptr_t key(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

bool redZoneIsWhole(const Allocation& allocation) {
  const auto* zone = reinterpret_cast<const unsigned char*>(allocation.address + allocation.size);
  size_t size = padded(allocation.size) + kRedZone - allocation.size;
  for (size_t i = 0; i < size; ++i) {
    if (zone[i] != kRedZoneFill) return false;
  }
  return true;
}

void count(Memory& m, const Allocation& allocation, bool isNew) {
  size_t& sum = allocation.kind == MemoryKind::Device ? m.used[allocation.device] : m.pinned;
  sum = isNew ? sum + allocation.size : sum - allocation.size;
}

}  // namespace

size_t deviceMemoryLimit() {
  std::lock_guard held(memory().lock);
  return memory().limit;
}

size_t deviceMemoryUsed(int device) {
  std::lock_guard held(memory().lock);
  return memory().used[device];
}

long liveBytes() {
  std::lock_guard held(memory().lock);
  size_t sum = memory().pinned;
  for (size_t used : memory().used) sum += used;
  return static_cast<long>(sum);
}

long liveRegistrations() {
  std::lock_guard held(memory().lock);
  long count = 0;
  for (const auto& [start, allocation] : memory().allocations) count += allocation.kind == MemoryKind::Registered;
  return count;
}

long overruns() {
  std::lock_guard held(memory().lock);
  return memory().overruns;
}

hipError_t allocate(void** pointer, size_t size, int device, MemoryKind kind, unsigned flags) {
  Memory& m = memory();
  Allocation made{nullptr, size, device, kind, flags, false};
  {
    std::lock_guard held(m.lock);
    bool isDevice = kind == MemoryKind::Device;
    if (isDevice && (size > m.limit || m.used[device] > m.limit - size)) return hipErrorOutOfMemory;
    count(m, made, true);  // before the memory is there, so that the limit holds for threads at once
  }
  made.address = static_cast<char*>(std::aligned_alloc(kAlignment, padded(size) + kRedZone));
  if (made.address != nullptr) {
    std::memset(made.address, kPoison, size);
    std::memset(made.address + size, kRedZoneFill, padded(size) + kRedZone - size);
  }
  std::lock_guard held(m.lock);
  if (made.address == nullptr) {
    count(m, made, false);
    return hipErrorOutOfMemory;
  }
  m.allocations[key(made.address)] = made;
  *pointer = made.address;
  return hipSuccess;
}

void registerMemory(void* pointer, size_t size, int device, unsigned flags) {
  std::lock_guard held(memory().lock);
  // A second registration of the same address changes nothing, as in HIP.
  memory().allocations.try_emplace(
      key(pointer), Allocation{static_cast<char*>(pointer), size, device, MemoryKind::Registered, flags, false});
}

bool unregisterMemory(void* pointer) {
  std::lock_guard held(memory().lock);
  auto found = memory().allocations.find(key(pointer));
  if (found == memory().allocations.end() || found->second.kind != MemoryKind::Registered) return false;
  memory().allocations.erase(found);
  return true;
}

std::optional<Allocation> findAllocation(const void* pointer) {
  std::lock_guard held(memory().lock);
  auto& all = memory().allocations;
  auto next = all.upper_bound(key(pointer));
  if (next == all.begin()) return {};
  const Allocation& candidate = std::prev(next)->second;
  if (key(pointer) - key(candidate.address) >= candidate.size) return {};
  return candidate;
}

std::optional<Allocation> beginFree(void* pointer) {
  std::lock_guard held(memory().lock);
  auto found = memory().allocations.find(key(pointer));
  if (found == memory().allocations.end()) return {};
  Allocation& allocation = found->second;
  if (allocation.isDying || allocation.kind == MemoryKind::Registered) return {};
  allocation.isDying = true;
  return allocation;
}

void finishFree(const Allocation& allocation) {
  Memory& m = memory();
  bool isWhole = redZoneIsWhole(allocation);
  if (!isWhole) {
    std::fprintf(stderr, "hip-on-cpu: somebody wrote behind the end of the allocation at %p of %zu bytes\n",
                 static_cast<void*>(allocation.address), allocation.size);
  }
  std::memset(allocation.address, kPoison, allocation.size);
  {
    std::lock_guard held(m.lock);
    m.overruns += !isWhole;
    count(m, allocation, false);
    m.allocations.erase(key(allocation.address));
  }
  std::free(allocation.address);
}

bool fits(const std::optional<Allocation>& allocation, const void* pointer, size_t bytes) {
  if (!allocation) return true;
  return bytes <= allocation->size - (key(pointer) - key(allocation->address));
}

}  // namespace hipcpu

extern "C" void hipOnCpuMemory(long bytes) {
  auto& m = hipcpu::memory();
  std::lock_guard held(m.lock);
  m.limit = bytes < 0 ? 0 : static_cast<size_t>(bytes);
}
