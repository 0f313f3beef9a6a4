// The HIP functions of the opened library.
#pragma once

#include "floor.h"
#include "hip_abi.h"

#define FLOOR_HIP_FUNCTIONS(F)                                                                                     \
  F(hipGetDevice) F(hipSetDevice) F(hipStreamIsCapturing) F(hipModuleLaunchKernel) F(hipEventRecord)               \
  F(hipStreamWaitEvent) F(hipStreamSynchronize) F(hipGraphLaunch) F(hipStreamCreateWithFlags) F(hipStreamDestroy) \
  F(hipEventCreateWithFlags) F(hipEventDestroy)

namespace millrace::bench {

struct HipCalls {
#define FLOOR_DECLARE(name) decltype(&::name) name = nullptr;
  FLOOR_HIP_FUNCTIONS(FLOOR_DECLARE)
#undef FLOOR_DECLARE
  int (*rocblas_get_stream)(void* handle, void** stream) = nullptr;
  int (*rocblas_set_stream)(void* handle, void* stream) = nullptr;
  int (*hipblasGetStream)(void* handle, void** stream) = nullptr;
  int (*hipblasSetStream)(void* handle, void* stream) = nullptr;
  int (*miopenGetStream)(void* handle, void** stream) = nullptr;
  int (*miopenSetStream)(void* handle, void* stream) = nullptr;
};

extern HipCalls hip;

// Remembers the call that failed; true if it did.
bool failed(int64_t status, const char* function);
int64_t failure();
void clearFailure();

int64_t nanosecondsNow();

inline hipStream_t asStream(void* stream) { return static_cast<hipStream_t>(stream); }

inline int64_t launch(const FloorKernel& k, hipStream_t stream) {
  return hip.hipModuleLaunchKernel(static_cast<hipFunction_t>(k.function), k.grid[0], k.grid[1], k.grid[2], k.block[0],
                                   k.block[1], k.block[2], k.sharedBytes, stream, k.parameters, nullptr);
}

}  // namespace millrace::bench

// In a function that returns the first failure.
#define FLOOR_TRY(call, name)                      \
  if (millrace::bench::failed((call), name)) {     \
    return millrace::bench::failure();             \
  }
