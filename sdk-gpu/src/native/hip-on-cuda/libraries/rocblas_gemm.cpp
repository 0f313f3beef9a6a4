// D = alpha·A·B + beta·C. cuBLAS has no D of its own: where it lies elsewhere than C, C is copied there first.
#include <algorithm>

#include "rocblas_handle.h"

using namespace millrace;

namespace {

struct Matrix {
  const void* address;
  rocblas_datatype type;
  rocblas_int leading;
  rocblas_stride stride;
};

struct Gemm {
  rocblas_operation transA, transB;
  rocblas_int m, n, k;
  const void* alpha;
  Matrix a, b;
  const void* beta;
  Matrix c, d;
  rocblas_int batches;
  rocblas_datatype compute;
  bool strided;
};

int operation(rocblas_operation op) { return op - rocblas_operation_none; }

// -1: no such type here.
int dataType(rocblas_datatype type) {
  switch (type) {
    case rocblas_datatype_f16_r: return cudaR16F;
    case rocblas_datatype_f32_r: return cudaR32F;
    case rocblas_datatype_f64_r: return cudaR64F;
    case rocblas_datatype_bf16_r: return cudaR16BF;
    case rocblas_datatype_i8_r: return cudaR8I;
    case rocblas_datatype_i32_r: return cudaR32I;
    default: return -1;
  }
}

int computeType(rocblas_datatype type) {
  switch (type) {
    case rocblas_datatype_f16_r: return cublasCompute16F;
    case rocblas_datatype_f32_r: return cublasCompute32F;
    case rocblas_datatype_f64_r: return cublasCompute64F;
    case rocblas_datatype_i32_r: return cublasCompute32I;
    default: return -1;
  }
}

size_t bytes(rocblas_datatype type) {
  switch (type) {
    case rocblas_datatype_f64_r: return 8;
    case rocblas_datatype_f32_r:
    case rocblas_datatype_i32_r: return 4;
    case rocblas_datatype_i8_r: return 1;
    default: return 2;
  }
}

bool isZero(const void* scalar, rocblas_datatype type) {
  switch (type) {
    case rocblas_datatype_f16_r: return (*static_cast<const uint16_t*>(scalar) & 0x7fff) == 0;
    case rocblas_datatype_f64_r: return *static_cast<const double*>(scalar) == 0;
    case rocblas_datatype_i32_r: return *static_cast<const int32_t*>(scalar) == 0;
    default: return *static_cast<const float*>(scalar) == 0;
  }
}

rocblas_status check(const Gemm& g) {
  bool operations = g.transA >= rocblas_operation_none && g.transA <= rocblas_operation_conjugate_transpose &&
                    g.transB >= rocblas_operation_none && g.transB <= rocblas_operation_conjugate_transpose;
  if (!operations) {
    return rocblas_status_invalid_value;
  }
  rocblas_int rowsA = g.transA == rocblas_operation_none ? g.m : g.k;
  rocblas_int rowsB = g.transB == rocblas_operation_none ? g.k : g.n;
  if (g.m < 0 || g.n < 0 || g.k < 0 || g.batches < 0 || g.a.leading < std::max(rowsA, 1) ||
      g.b.leading < std::max(rowsB, 1) || g.c.leading < std::max(g.m, 1) || g.d.leading < std::max(g.m, 1)) {
    return rocblas_status_invalid_size;
  }
  if (g.c.address == g.d.address && g.c.leading != g.d.leading) {
    return rocblas_status_invalid_value;
  }
  bool types = dataType(g.a.type) >= 0 && dataType(g.b.type) >= 0 && dataType(g.c.type) >= 0 &&
               g.c.type == g.d.type && computeType(g.compute) >= 0;
  return types ? rocblas_status_continue : rocblas_status_not_implemented;
}

rocblas_status checkPointers(const Gemm& g, bool readsC) {
  bool operands = g.k == 0 || (g.a.address != nullptr && g.b.address != nullptr);
  bool result = g.d.address != nullptr && (!readsC || g.c.address != nullptr);
  return operands && result ? rocblas_status_continue : rocblas_status_invalid_pointer;
}

hipError_t copyToD(const Gemm& g, hipStream_t stream) {
  size_t element = bytes(g.c.type);
  for (rocblas_int i = 0; i < g.batches; i++) {
    auto* to = static_cast<char*>(const_cast<void*>(g.d.address)) + i * g.d.stride * element;
    auto* from = static_cast<const char*>(g.c.address) + i * g.c.stride * element;
    if (hipError_t status = hipMemcpy2DAsync(to, g.d.leading * element, from, g.c.leading * element, g.m * element, g.n,
                                             hipMemcpyDeviceToDevice, stream)) {
      return status;
    }
  }
  return hipSuccess;
}

int multiply(rocblas_handle handle, const Gemm& g) {
  int transA = operation(g.transA);
  int transB = operation(g.transB);
  void* d = const_cast<void*>(g.d.address);
  if (!g.strided) {
    return cublas()->gemmEx(handle->cublas, transA, transB, g.m, g.n, g.k, g.alpha, g.a.address, dataType(g.a.type),
                            g.a.leading, g.b.address, dataType(g.b.type), g.b.leading, g.beta, d, dataType(g.d.type),
                            g.d.leading, computeType(g.compute), cublasGemmDefault);
  }
  return cublas()->gemmStridedBatchedEx(handle->cublas, transA, transB, g.m, g.n, g.k, g.alpha, g.a.address,
                                        dataType(g.a.type), g.a.leading, g.a.stride, g.b.address, dataType(g.b.type),
                                        g.b.leading, g.b.stride, g.beta, d, dataType(g.d.type), g.d.leading,
                                        g.d.stride, g.batches, computeType(g.compute), cublasGemmDefault);
}

rocblas_status run(rocblas_handle handle, const Gemm& g) {
  if (handle == nullptr) {
    return rocblas_status_invalid_handle;
  }
  if (rocblas_status status = check(g); status != rocblas_status_continue) {
    return status;
  }
  if (g.m == 0 || g.n == 0 || g.batches == 0) {
    return rocblas_status_success;
  }
  if (g.alpha == nullptr || g.beta == nullptr) {
    return rocblas_status_invalid_pointer;
  }
  bool readsC = handle->pointerMode == rocblas_pointer_mode_device || !isZero(g.beta, g.compute);
  if (rocblas_status status = checkPointers(g, readsC); status != rocblas_status_continue) {
    return status;
  }
  if (readsC && g.c.address != g.d.address && copyToD(g, handle->stream) != hipSuccess) {
    return rocblas_status_internal_error;
  }
  return toRocblas(multiply(handle, g));
}

}  // namespace

rocblas_status rocblas_gemm_ex(rocblas_handle handle, rocblas_operation transA, rocblas_operation transB,
                               rocblas_int m, rocblas_int n, rocblas_int k, const void* alpha, const void* a,
                               rocblas_datatype aType, rocblas_int lda, const void* b, rocblas_datatype bType,
                               rocblas_int ldb, const void* beta, const void* c, rocblas_datatype cType,
                               rocblas_int ldc, void* d, rocblas_datatype dType, rocblas_int ldd,
                               rocblas_datatype compute, rocblas_gemm_algo, int32_t, uint32_t) {
  return rocblasCall("rocblas_gemm_ex", handle == nullptr ? noStream : handle->stream, [&] {
    return run(handle, {transA, transB, m, n, k, alpha, {a, aType, lda, 0}, {b, bType, ldb, 0}, beta,
                        {c, cType, ldc, 0}, {d, dType, ldd, 0}, 1, compute, false});
  });
}

rocblas_status rocblas_gemm_strided_batched_ex(
    rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, rocblas_int m, rocblas_int n,
    rocblas_int k, const void* alpha, const void* a, rocblas_datatype aType, rocblas_int lda, rocblas_stride strideA,
    const void* b, rocblas_datatype bType, rocblas_int ldb, rocblas_stride strideB, const void* beta, const void* c,
    rocblas_datatype cType, rocblas_int ldc, rocblas_stride strideC, void* d, rocblas_datatype dType, rocblas_int ldd,
    rocblas_stride strideD, rocblas_int batches, rocblas_datatype compute, rocblas_gemm_algo, int32_t, uint32_t) {
  return rocblasCall("rocblas_gemm_strided_batched_ex", handle == nullptr ? noStream : handle->stream, [&] {
    return run(handle, {transA, transB, m, n, k, alpha, {a, aType, lda, strideA}, {b, bType, ldb, strideB}, beta,
                        {c, cType, ldc, strideC}, {d, dType, ldd, strideD}, batches, compute, true});
  });
}
