// Every exported function passes through here: it is counted and written down, and a planned fault or delay strikes.
#pragma once

#include <atomic>
#include <cstdint>
#include <new>

#include "hip_abi.h"
#include "thread_state.h"

namespace hipcpu {

// Stands for "this function takes no stream" in the log.
inline const void* const kNoStream = reinterpret_cast<const void*>(-1);

struct Entry {
  int planned = 0;          // status to fail with, or 0
  uint64_t generation = 0;  // which log this entry is in
  size_t index = 0;
};

// A function without a status cannot fail, and uses up no planned fault.
Entry enter(const char* function, const void* stream, void* caller, bool canFail = true);
void leave(const Entry& entry, int status);

int deviceCount();

// For functions that work, or answer something of their own, where no device is.
template <typename Body>
hipError_t apiWithoutDevice(const char* function, const void* stream, void* caller, Body&& body) {
  Entry entry = enter(function, stream, caller);
  hipError_t status;
  try {
    status = entry.planned != 0 ? static_cast<hipError_t>(entry.planned) : body();
  } catch (const std::bad_alloc&) {
    status = hipErrorOutOfMemory;
  }
  threadState().lastError = status;
  leave(entry, status);
  return status;
}

template <typename Body>
hipError_t api(const char* function, const void* stream, void* caller, Body&& body) {
  return apiWithoutDevice(function, stream, caller, [&] { return deviceCount() == 0 ? hipErrorNoDevice : body(); });
}

}  // namespace hipcpu

// The address in the calling library, for the log's last column; only right in the exported function itself.
#define CALLER __builtin_return_address(0)
