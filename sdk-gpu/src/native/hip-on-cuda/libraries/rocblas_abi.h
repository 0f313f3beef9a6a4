// rocBLAS 4.4 as the SDK calls it.
#pragma once

#include "hip_abi.h"

enum rocblas_status {
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

enum rocblas_operation {
  rocblas_operation_none = 111,
  rocblas_operation_transpose = 112,
  rocblas_operation_conjugate_transpose = 113
};

enum rocblas_datatype {
  rocblas_datatype_f16_r = 150,
  rocblas_datatype_f32_r = 151,
  rocblas_datatype_f64_r = 152,
  rocblas_datatype_i8_r = 160,
  rocblas_datatype_i32_r = 162,
  rocblas_datatype_bf16_r = 168
};

enum rocblas_pointer_mode { rocblas_pointer_mode_host = 0, rocblas_pointer_mode_device = 1 };
enum rocblas_atomics_mode { rocblas_atomics_not_allowed = 0, rocblas_atomics_allowed = 1 };
enum rocblas_gemm_algo { rocblas_gemm_algo_standard = 0, rocblas_gemm_algo_solution_index = 1 };

using rocblas_int = int32_t;
using rocblas_stride = int64_t;
using rocblas_handle = struct _rocblas_handle*;

#pragma GCC visibility push(default)
extern "C" {
rocblas_status rocblas_create_handle(rocblas_handle* handle);
rocblas_status rocblas_destroy_handle(rocblas_handle handle);
rocblas_status rocblas_set_stream(rocblas_handle handle, hipStream_t stream);
rocblas_status rocblas_get_stream(rocblas_handle handle, hipStream_t* stream);
rocblas_status rocblas_set_pointer_mode(rocblas_handle handle, rocblas_pointer_mode mode);
rocblas_status rocblas_get_pointer_mode(rocblas_handle handle, rocblas_pointer_mode* mode);
rocblas_status rocblas_set_atomics_mode(rocblas_handle handle, rocblas_atomics_mode mode);
rocblas_status rocblas_set_workspace(rocblas_handle handle, void* workspace, size_t size);
rocblas_status rocblas_gemm_ex(rocblas_handle handle, rocblas_operation transA, rocblas_operation transB,
                               rocblas_int m, rocblas_int n, rocblas_int k, const void* alpha, const void* a,
                               rocblas_datatype aType, rocblas_int lda, const void* b, rocblas_datatype bType,
                               rocblas_int ldb, const void* beta, const void* c, rocblas_datatype cType,
                               rocblas_int ldc, void* d, rocblas_datatype dType, rocblas_int ldd,
                               rocblas_datatype computeType, rocblas_gemm_algo algo, int32_t solution, uint32_t flags);
rocblas_status rocblas_gemm_strided_batched_ex(
    rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, rocblas_int m, rocblas_int n,
    rocblas_int k, const void* alpha, const void* a, rocblas_datatype aType, rocblas_int lda, rocblas_stride strideA,
    const void* b, rocblas_datatype bType, rocblas_int ldb, rocblas_stride strideB, const void* beta, const void* c,
    rocblas_datatype cType, rocblas_int ldc, rocblas_stride strideC, void* d, rocblas_datatype dType, rocblas_int ldd,
    rocblas_stride strideD, rocblas_int batches, rocblas_datatype computeType, rocblas_gemm_algo algo,
    int32_t solution, uint32_t flags);
rocblas_status rocblas_get_version_string(char* text, size_t size);
rocblas_status rocblas_get_version_string_size(size_t* size);
const char* rocblas_status_to_string(rocblas_status status);
}
#pragma GCC visibility pop
