// The functions of librocblas that the SDK calls.
#include "rocblas_abi.h"

#include "LiveHandles.h"
#include "RocblasHandle.h"
#include "gemm.h"
#include "library_call.h"

#include <cstring>
#include <iterator>
#include <new>

namespace {

using millrace::Gemm;
using millrace::RocblasHandle;
using Handles = millrace::LiveHandles<rocblas_handle, RocblasHandle>;

constexpr char version[] = "4.4.1-hip-on-cpu";

template <class Body> rocblas_status withHandle(rocblas_handle handle, Body body) {
  auto object = Handles::instance().find(handle);
  return object ? body(*object) : rocblas_status_invalid_handle;
}

hipStream_t streamOf(rocblas_handle handle) {
  auto object = Handles::instance().find(handle);
  return object ? object->stream : nullptr;
}

} // namespace

rocblas_status rocblas_create_handle(rocblas_handle* handle) try {
  MILLRACE_LIBRARY_CALL(rocblas_status);
  if (!handle) return rocblas_status_invalid_handle;
  auto object = std::make_shared<RocblasHandle>();
  if (auto failed = object->open()) return failed;
  *handle = Handles::instance().add(std::move(object));
  return rocblas_status_success;
} catch (const std::bad_alloc&) {
  return rocblas_status_memory_error;
}

rocblas_status rocblas_destroy_handle(rocblas_handle handle) {
  MILLRACE_LIBRARY_CALL(rocblas_status);
  return Handles::instance().remove(handle) ? rocblas_status_success
                                            : rocblas_status_invalid_handle;
}

rocblas_status rocblas_set_stream(rocblas_handle handle, hipStream_t stream) {
  MILLRACE_LIBRARY_CALL_ON(rocblas_status, stream);
  return withHandle(handle, [&](RocblasHandle& h) { return h.setStream(stream); });
}

rocblas_status rocblas_get_stream(rocblas_handle handle, hipStream_t* stream) {
  MILLRACE_LIBRARY_CALL(rocblas_status);
  return withHandle(handle, [&](RocblasHandle& h) {
    if (!stream) return rocblas_status_invalid_pointer;
    *stream = h.stream;
    return rocblas_status_success;
  });
}

rocblas_status rocblas_set_pointer_mode(rocblas_handle handle, rocblas_pointer_mode mode) {
  MILLRACE_LIBRARY_CALL(rocblas_status);
  return withHandle(handle, [&](RocblasHandle& h) {
    if (mode != rocblas_pointer_mode_host && mode != rocblas_pointer_mode_device)
      return rocblas_status_invalid_value;
    h.pointerMode = mode;
    return rocblas_status_success;
  });
}

rocblas_status rocblas_get_pointer_mode(rocblas_handle handle, rocblas_pointer_mode* mode) {
  MILLRACE_LIBRARY_CALL(rocblas_status);
  return withHandle(handle, [&](RocblasHandle& h) {
    if (!mode) return rocblas_status_invalid_pointer;
    *mode = h.pointerMode;
    return rocblas_status_success;
  });
}

rocblas_status rocblas_set_atomics_mode(rocblas_handle handle, rocblas_atomics_mode mode) {
  MILLRACE_LIBRARY_CALL(rocblas_status);
  return withHandle(handle, [&](RocblasHandle& h) {
    if (mode != rocblas_atomics_not_allowed && mode != rocblas_atomics_allowed)
      return rocblas_status_invalid_value;
    h.atomicsMode = mode;
    return rocblas_status_success;
  });
}

rocblas_status rocblas_set_workspace(rocblas_handle handle, void* addr, size_t size) {
  MILLRACE_LIBRARY_CALL(rocblas_status);
  return withHandle(handle, [&](RocblasHandle& h) { return h.setWorkspace(addr, size); });
}

rocblas_status rocblas_get_version_string_size(size_t* len) {
  MILLRACE_LIBRARY_CALL(rocblas_status);
  if (!len) return rocblas_status_invalid_pointer;
  *len = sizeof version;
  return rocblas_status_success;
}

rocblas_status rocblas_get_version_string(char* buf, size_t len) {
  MILLRACE_LIBRARY_CALL(rocblas_status);
  if (!buf) return rocblas_status_invalid_pointer;
  if (len < sizeof version) return rocblas_status_invalid_size;
  std::memcpy(buf, version, sizeof version);
  return rocblas_status_success;
}

const char* rocblas_status_to_string(rocblas_status status) {
  static constexpr const char* names[] = {
      "rocblas_status_success",
      "rocblas_status_invalid_handle",
      "rocblas_status_not_implemented",
      "rocblas_status_invalid_pointer",
      "rocblas_status_invalid_size",
      "rocblas_status_memory_error",
      "rocblas_status_internal_error",
      "rocblas_status_perf_degraded",
      "rocblas_status_size_query_mismatch",
      "rocblas_status_size_increased",
      "rocblas_status_size_unchanged",
      "rocblas_status_invalid_value",
      "rocblas_status_continue",
      "rocblas_status_check_numerics_fail",
      "rocblas_status_excluded_from_build",
      "rocblas_status_arch_mismatch",
  };
  auto index = static_cast<size_t>(status);
  return index < std::size(names) ? names[index] : "rocblas_status value is not known";
}

rocblas_status rocblas_gemm_strided_batched_ex(
    rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, rocblas_int m,
    rocblas_int n, rocblas_int k, const void* alpha, const void* a, rocblas_datatype a_type,
    rocblas_int lda, rocblas_stride stride_a, const void* b, rocblas_datatype b_type,
    rocblas_int ldb, rocblas_stride stride_b, const void* beta, const void* c,
    rocblas_datatype c_type, rocblas_int ldc, rocblas_stride stride_c, void* d,
    rocblas_datatype d_type, rocblas_int ldd, rocblas_stride stride_d, rocblas_int batch_count,
    rocblas_datatype compute_type, rocblas_gemm_algo, int32_t, uint32_t) {
  MILLRACE_LIBRARY_CALL_ON(rocblas_status, streamOf(handle));
  Gemm gemm{transA, transB, m,      n,   k,      alpha,    a, a_type, lda, stride_a,    b, b_type,
            ldb,    stride_b, beta, c,   c_type, ldc,      stride_c,  d,   d_type,      ldd,
            stride_d, batch_count, compute_type};
  return withHandle(handle, [&](RocblasHandle& h) { return run(h, gemm); });
}

rocblas_status rocblas_gemm_ex(rocblas_handle handle, rocblas_operation transA,
                               rocblas_operation transB, rocblas_int m, rocblas_int n,
                               rocblas_int k, const void* alpha, const void* a,
                               rocblas_datatype a_type, rocblas_int lda, const void* b,
                               rocblas_datatype b_type, rocblas_int ldb, const void* beta,
                               const void* c, rocblas_datatype c_type, rocblas_int ldc, void* d,
                               rocblas_datatype d_type, rocblas_int ldd,
                               rocblas_datatype compute_type, rocblas_gemm_algo, int32_t,
                               uint32_t) {
  MILLRACE_LIBRARY_CALL_ON(rocblas_status, streamOf(handle));
  Gemm gemm{transA, transB, m,    n, k,      alpha, a, a_type, lda,    0,   b, b_type,
            ldb,    0,      beta, c, c_type, ldc,   0, d,      d_type, ldd, 0, 1,
            compute_type};
  return withHandle(handle, [&](RocblasHandle& h) { return run(h, gemm); });
}
