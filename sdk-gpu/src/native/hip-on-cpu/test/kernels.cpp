// A code object as hipRTC of hip-on-cpu makes them; the note that describes it is made beside it.
#include <cstddef>

#include "hip_on_cpu.h"

namespace {

template <typename Body>
void forEachThread(const unsigned grid[3], const unsigned block[3], Body body) {
  for (unsigned i = 0; i < grid[0] * block[0]; ++i) body(static_cast<int>(i));
}

void add(void** args, const unsigned grid[3], const unsigned block[3], size_t) {
  auto* out = *static_cast<float**>(args[0]);
  auto* a = *static_cast<const float**>(args[1]);
  auto* b = *static_cast<const float**>(args[2]);
  int n = *static_cast<int*>(args[3]);
  forEachThread(grid, block, [&](int i) {
    if (i < n) out[i] = a[i] + b[i];
  });
}

void put(void** args, const unsigned[3], const unsigned[3], size_t sharedBytes) {
  **static_cast<int**>(args[1]) = *static_cast<signed char*>(args[0]) + static_cast<int>(sharedBytes);
}

void increment(void** args, const unsigned[3], const unsigned[3], size_t) { ++**static_cast<int**>(args[0]); }

}  // namespace

extern "C" __attribute__((visibility("default"))) const HipOnCpuKernel millrace_kernels[] = {
    {"add", add, 4}, {"put", put, 2}, {"increment", increment, 1}, {nullptr, nullptr, 0}};
