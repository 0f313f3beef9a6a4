// rocBLAS's C interface as ROCm 6.4 has it: the functions that the SDK calls.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hip_abi.h"

#pragma GCC visibility push(default)
extern "C" {
enum rocblas_status : int {
  rocblas_status_success = 0,
  rocblas_status_invalid_handle = 1,
  rocblas_status_not_implemented = 2,
  rocblas_status_invalid_pointer = 3,
  rocblas_status_invalid_size = 4,
  rocblas_status_memory_error = 5,
  rocblas_status_internal_error = 6,
  rocblas_status_perf_degraded = 7,
  rocblas_status_size_query_mismatch = 8,
  rocblas_status_size_increased = 9,
  rocblas_status_size_unchanged = 10,
  rocblas_status_invalid_value = 11,
  rocblas_status_continue = 12,
  rocblas_status_check_numerics_fail = 13,
  rocblas_status_excluded_from_build = 14,
  rocblas_status_arch_mismatch = 15
};
enum rocblas_operation : int {
  rocblas_operation_none = 111,
  rocblas_operation_transpose = 112,
  rocblas_operation_conjugate_transpose = 113
};
enum rocblas_datatype : int {
  rocblas_datatype_f16_r = 150,
  rocblas_datatype_f32_r = 151,
  rocblas_datatype_bf16_r = 168
};
enum rocblas_pointer_mode : int { rocblas_pointer_mode_host = 0, rocblas_pointer_mode_device = 1 };
enum rocblas_atomics_mode : int { rocblas_atomics_not_allowed = 0, rocblas_atomics_allowed = 1 };
enum rocblas_gemm_algo : int {
  rocblas_gemm_algo_standard = 0,
  rocblas_gemm_algo_solution_index = 1
};

typedef struct _rocblas_handle* rocblas_handle;
typedef int32_t rocblas_int;
typedef int64_t rocblas_stride;

rocblas_status rocblas_create_handle(rocblas_handle* handle);
rocblas_status rocblas_destroy_handle(rocblas_handle handle);
rocblas_status rocblas_set_stream(rocblas_handle handle, hipStream_t stream);
rocblas_status rocblas_get_stream(rocblas_handle handle, hipStream_t* stream);
rocblas_status rocblas_set_pointer_mode(rocblas_handle handle, rocblas_pointer_mode mode);
rocblas_status rocblas_get_pointer_mode(rocblas_handle handle, rocblas_pointer_mode* mode);
rocblas_status rocblas_set_atomics_mode(rocblas_handle handle, rocblas_atomics_mode mode);
rocblas_status rocblas_set_workspace(rocblas_handle handle, void* addr, size_t size);
rocblas_status rocblas_get_version_string(char* buf, size_t len);
rocblas_status rocblas_get_version_string_size(size_t* len);
const char* rocblas_status_to_string(rocblas_status status);

// D = alpha op(A) op(B) + beta C; op(A) is m×k, op(B) k×n, C and D m×n, all by columns.
rocblas_status rocblas_gemm_ex(rocblas_handle handle, rocblas_operation transA,
                               rocblas_operation transB, rocblas_int m, rocblas_int n,
                               rocblas_int k, const void* alpha, const void* a,
                               rocblas_datatype a_type, rocblas_int lda, const void* b,
                               rocblas_datatype b_type, rocblas_int ldb, const void* beta,
                               const void* c, rocblas_datatype c_type, rocblas_int ldc, void* d,
                               rocblas_datatype d_type, rocblas_int ldd,
                               rocblas_datatype compute_type, rocblas_gemm_algo algo,
                               int32_t solution_index, uint32_t flags);
rocblas_status rocblas_gemm_strided_batched_ex(
    rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, rocblas_int m,
    rocblas_int n, rocblas_int k, const void* alpha, const void* a, rocblas_datatype a_type,
    rocblas_int lda, rocblas_stride stride_a, const void* b, rocblas_datatype b_type,
    rocblas_int ldb, rocblas_stride stride_b, const void* beta, const void* c,
    rocblas_datatype c_type, rocblas_int ldc, rocblas_stride stride_c, void* d,
    rocblas_datatype d_type, rocblas_int ldd, rocblas_stride stride_d, rocblas_int batch_count,
    rocblas_datatype compute_type, rocblas_gemm_algo algo, int32_t solution_index, uint32_t flags);
}
#pragma GCC visibility pop
