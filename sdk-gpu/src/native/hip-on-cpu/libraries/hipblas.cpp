// The handle functions of libhipblas. On AMD a hipBLAS handle is a rocBLAS handle: so it is here.
#include "hipblas_abi.h"

#include "library_call.h"
#include "rocblas_abi.h"

namespace {

hipblasStatus_t statusOf(rocblas_status status) {
  switch (status) {
  case rocblas_status_success: return HIPBLAS_STATUS_SUCCESS;
  case rocblas_status_invalid_handle: return HIPBLAS_STATUS_NOT_INITIALIZED;
  case rocblas_status_not_implemented: return HIPBLAS_STATUS_NOT_SUPPORTED;
  case rocblas_status_invalid_pointer:
  case rocblas_status_invalid_size:
  case rocblas_status_invalid_value: return HIPBLAS_STATUS_INVALID_VALUE;
  case rocblas_status_memory_error: return HIPBLAS_STATUS_ALLOC_FAILED;
  case rocblas_status_internal_error: return HIPBLAS_STATUS_INTERNAL_ERROR;
  default: return HIPBLAS_STATUS_UNKNOWN;
  }
}

rocblas_handle inner(hipblasHandle_t handle) { return static_cast<rocblas_handle>(handle); }

} // namespace

hipblasStatus_t hipblasCreate(hipblasHandle_t* handle) {
  MILLRACE_LIBRARY_CALL(hipblasStatus_t);
  if (!handle) return HIPBLAS_STATUS_HANDLE_IS_NULLPTR;
  rocblas_handle created;
  rocblas_status status = rocblas_create_handle(&created);
  if (status == rocblas_status_success) *handle = created;
  return statusOf(status);
}

hipblasStatus_t hipblasDestroy(hipblasHandle_t handle) {
  MILLRACE_LIBRARY_CALL(hipblasStatus_t);
  return statusOf(rocblas_destroy_handle(inner(handle)));
}

hipblasStatus_t hipblasSetStream(hipblasHandle_t handle, hipStream_t streamId) {
  MILLRACE_LIBRARY_CALL_ON(hipblasStatus_t, streamId);
  return statusOf(rocblas_set_stream(inner(handle), streamId));
}

hipblasStatus_t hipblasGetStream(hipblasHandle_t handle, hipStream_t* streamId) {
  MILLRACE_LIBRARY_CALL(hipblasStatus_t);
  return statusOf(rocblas_get_stream(inner(handle), streamId));
}
