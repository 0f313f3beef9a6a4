// Which stream handles are alive. HIP 6 answers 709 for a destroyed stream; CUDA's behaviour is undefined. Looked at in
// every call on a stream, so looking takes no lock: a table of handles with open addressing, written under a lock.
#pragma once

#include <atomic>
#include <cstdint>

#include "hip_abi.h"

namespace millrace {

class LiveStreams {
 public:
  bool contains(hipStream_t stream) const {
    auto wanted = reinterpret_cast<uintptr_t>(stream);
    for (size_t i = home(wanted);; i = next(i)) {
      uintptr_t found = slots[i].load(std::memory_order_relaxed);
      if (found == wanted) {
        return true;
      }
      if (found == empty) {
        return false;
      }
    }
  }

  // False if there is no room.
  bool add(hipStream_t stream);
  // False if it was not there: of two threads that destroy one stream, one is told so.
  bool remove(hipStream_t stream);

 private:
  static constexpr size_t capacity = 1u << 16;
  static constexpr size_t most = capacity / 2;
  static constexpr uintptr_t empty = 0;
  static constexpr uintptr_t deleted = 1;

  static size_t home(uintptr_t handle) { return ((handle >> 4) * 0x9E3779B97F4A7C15ull) >> 48; }
  static size_t next(size_t i) { return (i + 1) & (capacity - 1); }
  void tidy(size_t i);

  std::atomic<uintptr_t> slots[capacity]{};
  size_t size = 0;
};

extern LiveStreams liveStreams;

// The null stream by both its names and the per-thread stream always live.
inline bool isLive(hipStream_t stream) {
  return reinterpret_cast<uintptr_t>(stream) <= 2 || liveStreams.contains(stream);
}

inline bool isNullStream(hipStream_t stream) { return reinterpret_cast<uintptr_t>(stream) <= 1; }

}  // namespace millrace
