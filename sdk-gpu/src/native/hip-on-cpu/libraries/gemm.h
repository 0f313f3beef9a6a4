#pragma once

#include "RocblasHandle.h"

namespace millrace {

/** The arguments of rocblas_gemm_strided_batched_ex, but the handle and the algorithm. */
struct Gemm {
  rocblas_operation transA, transB;
  rocblas_int m, n, k;
  const void* alpha;
  const void* a;
  rocblas_datatype aType;
  rocblas_int lda;
  rocblas_stride strideA;
  const void* b;
  rocblas_datatype bType;
  rocblas_int ldb;
  rocblas_stride strideB;
  const void* beta;
  const void* c;
  rocblas_datatype cType;
  rocblas_int ldc;
  rocblas_stride strideC;
  void* d;
  rocblas_datatype dType;
  rocblas_int ldd;
  rocblas_stride strideD;
  rocblas_int batches;
  rocblas_datatype computeType;
};

/** Checks the arguments in rocBLAS's order, then enqueues the product on the handle's stream. */
rocblas_status run(const RocblasHandle& handle, const Gemm& gemm);

} // namespace millrace
