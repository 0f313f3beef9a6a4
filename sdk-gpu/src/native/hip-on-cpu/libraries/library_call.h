// The first line of every function of the stand-ins for ROCm's libraries.
#pragma once

#include "hip_on_cpu.h"

// What hipOnCpuEnter takes for "this function takes no stream".
inline void* const millraceNoStream = reinterpret_cast<void*>(-1);

// Counts and logs the call, and returns at once where a test planned that it fails. A macro, since
// the caller to be logged is the one of the function that it stands in.
#define MILLRACE_LIBRARY_CALL_ON(Status, stream)                                                   \
  if (int planned = hipOnCpuEnter(__func__, stream, __builtin_return_address(0)))                  \
    return static_cast<Status>(planned)

#define MILLRACE_LIBRARY_CALL(Status) MILLRACE_LIBRARY_CALL_ON(Status, millraceNoStream)
