#include "live_streams.h"

#include <mutex>

namespace millrace {

LiveStreams liveStreams;

namespace {
std::mutex writing;
}

bool LiveStreams::add(hipStream_t stream) {
  std::lock_guard guard(writing);
  if (size == most) {
    return false;
  }
  size_t i = home(reinterpret_cast<uintptr_t>(stream));
  while (slots[i].load(std::memory_order_relaxed) > deleted) {
    i = next(i);
  }
  slots[i].store(reinterpret_cast<uintptr_t>(stream), std::memory_order_release);
  size++;
  return true;
}

bool LiveStreams::remove(hipStream_t stream) {
  std::lock_guard guard(writing);
  auto wanted = reinterpret_cast<uintptr_t>(stream);
  size_t i = home(wanted);
  for (uintptr_t found; (found = slots[i].load(std::memory_order_relaxed)) != wanted; i = next(i)) {
    if (found == empty) {
      return false;
    }
  }
  slots[i].store(deleted, std::memory_order_release);
  size--;
  tidy(i);
  return true;
}

// Deleted slots before an empty one end no search early, so they may be empty again: searches stay short however many
// streams come and go.
void LiveStreams::tidy(size_t i) {
  if (slots[next(i)].load(std::memory_order_relaxed) != empty) {
    return;
  }
  for (; slots[i].load(std::memory_order_relaxed) == deleted; i = (i - 1) & (capacity - 1)) {
    slots[i].store(empty, std::memory_order_release);
  }
}

}  // namespace millrace
