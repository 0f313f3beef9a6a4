// hipBLAS's handles, which are rocBLAS's as in hipBLAS itself.
#include "hipblas_abi.h"
#include "hip_on_cpu.h"
#include "rocblas_abi.h"

namespace {

const hipStream_t noStream = reinterpret_cast<hipStream_t>(-1);  // for the log

rocblas_handle inner(hipblasHandle_t handle) { return reinterpret_cast<rocblas_handle>(handle); }

hipblasStatus_t toHipblas(rocblas_status status) {
  switch (status) {
    case rocblas_status_success: return HIPBLAS_STATUS_SUCCESS;
    case rocblas_status_invalid_handle: return HIPBLAS_STATUS_NOT_INITIALIZED;
    case rocblas_status_not_implemented: return HIPBLAS_STATUS_NOT_SUPPORTED;
    case rocblas_status_memory_error: return HIPBLAS_STATUS_ALLOC_FAILED;
    case rocblas_status_invalid_pointer:
    case rocblas_status_invalid_size:
    case rocblas_status_invalid_value: return HIPBLAS_STATUS_INVALID_VALUE;
    case rocblas_status_arch_mismatch: return HIPBLAS_STATUS_ARCH_MISMATCH;
    default: return HIPBLAS_STATUS_INTERNAL_ERROR;
  }
}

template <class Body>
[[gnu::always_inline]] inline hipblasStatus_t call(const char* function, hipStream_t stream, Body body) {
  if (int planned = hipOnCpuEnter(function, stream, __builtin_return_address(0))) {
    return static_cast<hipblasStatus_t>(planned);
  }
  return body();
}

}  // namespace

hipblasStatus_t hipblasCreate(hipblasHandle_t* handle) {
  return call("hipblasCreate", noStream, [&]() -> hipblasStatus_t {
    return handle == nullptr ? HIPBLAS_STATUS_HANDLE_IS_NULLPTR
                             : toHipblas(rocblas_create_handle(reinterpret_cast<rocblas_handle*>(handle)));
  });
}

hipblasStatus_t hipblasDestroy(hipblasHandle_t handle) {
  return call("hipblasDestroy", noStream, [&] { return toHipblas(rocblas_destroy_handle(inner(handle))); });
}

hipblasStatus_t hipblasSetStream(hipblasHandle_t handle, hipStream_t stream) {
  return call("hipblasSetStream", stream, [&]() -> hipblasStatus_t {
    return handle == nullptr ? HIPBLAS_STATUS_NOT_INITIALIZED : toHipblas(rocblas_set_stream(inner(handle), stream));
  });
}

hipblasStatus_t hipblasGetStream(hipblasHandle_t handle, hipStream_t* stream) {
  return call("hipblasGetStream", noStream, [&]() -> hipblasStatus_t {
    return handle == nullptr ? HIPBLAS_STATUS_NOT_INITIALIZED : toHipblas(rocblas_get_stream(inner(handle), stream));
  });
}
