#pragma once

#include "rocblas_abi.h"

namespace millrace {

/** What rocBLAS makes of HIP's errors. */
inline rocblas_status statusOf(hipError_t error) {
  switch (error) {
  case hipSuccess: return rocblas_status_success;
  case hipErrorOutOfMemory: return rocblas_status_memory_error;
  case hipErrorInvalidValue:
  case hipErrorInvalidDevicePointer: return rocblas_status_invalid_pointer;
  case hipErrorInvalidDevice:
  case hipErrorInvalidResourceHandle: return rocblas_status_invalid_handle;
  default: return rocblas_status_internal_error;
  }
}

} // namespace millrace
