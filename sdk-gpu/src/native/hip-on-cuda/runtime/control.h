// The control interface of tests: counts, log, planned failures and delays. Off until the first hipOnCpuReset (or
// hipOnCudaWatch), so that measurements do not pay for it.
#pragma once

#include <atomic>

#include "hip_on_cpu.h"
#include "live_streams.h"
#include "thread.h"

#pragma GCC visibility push(default)
extern "C" {
// Turns counting, log and planned failures on or off.
void hipOnCudaWatch(int on);
// The same as hipOnCpuCalls.
long hipOnCudaCalls(const char* function);
// For the other stand-ins of this folder: makes the current device's context current on the calling thread.
int hipOnCudaAttach(void);
}
#pragma GCC visibility pop

namespace millrace {

// Stands for "this function takes no stream" in the log; a null pointer is the null stream.
inline void* const noStream = reinterpret_cast<void*>(-1);

extern std::atomic<bool> watching;

// Counts the call; the status that it is to fail with, or 0.
hipError_t plannedFor(const char* function);
void countCall(const char* function);
void logCall(const char* function, void* stream, int status, void* caller);

enum class Live { streams, events, modules, graphs, execs };
void countLive(Live what, int change);
void countBytes(void* pointer, size_t size);
void forgetBytes(void* pointer);

// One exported call: the body's status is what the caller gets and what hipGetLastError says next.
template <class Body>
[[gnu::always_inline]] inline hipError_t call(const char* function, void* stream, Body body) {
  if (!watching.load(std::memory_order_relaxed)) [[likely]] {
    return self.last = body();
  }
  void* caller = __builtin_return_address(0);
  hipError_t status = plannedFor(function);
  if (status == hipSuccess) {
    status = body();
  }
  logCall(function, stream, status, caller);
  return self.last = status;
}

// A call that needs the current device's context.
template <class Body>
[[gnu::always_inline]] inline hipError_t deviceCall(const char* function, Body body) {
  return call(function, noStream, [&]() -> hipError_t {
    hipError_t status = attach();
    return status != hipSuccess ? status : body();
  });
}

// A call on a stream, refused with 709 if that stream is not alive.
template <class Body>
[[gnu::always_inline]] inline hipError_t streamCall(const char* function, hipStream_t stream, Body body) {
  return call(function, stream, [&]() -> hipError_t {
    if (hipError_t status = attach(); status != hipSuccess) [[unlikely]] {
      return status;
    }
    return isLive(stream) ? body() : hipErrorContextIsDestroyed;
  });
}

}  // namespace millrace
