#pragma once

#include "cublas.h"
#include "hip_on_cpu.h"
#include "rocblas_abi.h"

extern "C" int hipOnCudaAttach(void);  // of libamdhip64.so.6

struct _rocblas_handle {
  millrace::cublasHandle_t cublas = nullptr;
  hipStream_t stream = nullptr;
  void* workspace = nullptr;  // the caller's; cuBLAS forgets it with every change of stream, rocBLAS keeps it
  size_t workspaceBytes = 0;
  rocblas_pointer_mode pointerMode = rocblas_pointer_mode_host;
};

namespace millrace {

// Stands for "this function takes no stream" in the log; a null pointer is the null stream.
inline const hipStream_t noStream = reinterpret_cast<hipStream_t>(-1);

rocblas_status toRocblas(int cublasStatus);

// One exported call; cuBLAS needs the current device's context on the thread.
template <class Body>
[[gnu::always_inline]] inline rocblas_status rocblasCall(const char* function, hipStream_t stream, Body body) {
  if (int planned = hipOnCpuEnter(function, stream, __builtin_return_address(0))) {
    return static_cast<rocblas_status>(planned);
  }
  return hipOnCudaAttach() == 0 ? body() : rocblas_status_internal_error;
}

}  // namespace millrace
