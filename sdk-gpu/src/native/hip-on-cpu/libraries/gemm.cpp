#include "gemm.h"

#include <optional>

namespace millrace {

namespace {

bool isOperation(rocblas_operation operation) {
  return operation == rocblas_operation_none || operation == rocblas_operation_transpose ||
         operation == rocblas_operation_conjugate_transpose;
}

bool sizesFit(const Gemm& g) {
  rocblas_int rowsOfA = g.transA == rocblas_operation_none ? g.m : g.k;
  rocblas_int rowsOfB = g.transB == rocblas_operation_none ? g.k : g.n;
  return g.m >= 0 && g.n >= 0 && g.k >= 0 && g.batches >= 0 && g.lda >= rowsOfA &&
         g.ldb >= rowsOfB && g.ldc >= g.m && g.ldd >= g.m;
}

bool pointersAreThere(const Gemm& g) {
  bool readsFactors = g.k > 0;
  return g.alpha && g.beta && g.c && g.d && (!readsFactors || (g.a && g.b));
}

/** Nothing for a combination that there is no kernel for. */
std::optional<GemmKernel> kernelFor(const Gemm& g) {
  if (g.computeType != rocblas_datatype_f32_r || g.aType != g.bType || g.cType != g.dType)
    return std::nullopt;
  auto is = [&](rocblas_datatype in, rocblas_datatype out) {
    return g.aType == in && g.dType == out;
  };
  constexpr auto f32 = rocblas_datatype_f32_r, f16 = rocblas_datatype_f16_r,
                 bf16 = rocblas_datatype_bf16_r;
  if (is(f32, f32)) return GemmKernel::f32;
  if (is(f16, f16)) return GemmKernel::f16;
  if (is(bf16, bf16)) return GemmKernel::bf16;
  if (is(f16, f32)) return GemmKernel::f16ToF32;
  if (is(bf16, f32)) return GemmKernel::bf16ToF32;
  return std::nullopt;
}

// All types are real: a conjugate transpose is a transpose.
GemmMatrix matrix(const void* data, rocblas_operation operation, rocblas_int leading,
                  rocblas_stride stride) {
  if (operation == rocblas_operation_none) return {data, 1, leading, stride};
  return {data, leading, 1, stride};
}

GemmArguments argumentsOf(const Gemm& g, rocblas_pointer_mode mode) {
  GemmArguments result{};
  result.m = g.m, result.n = g.n, result.k = g.k;
  auto alpha = static_cast<const float*>(g.alpha), beta = static_cast<const float*>(g.beta);
  if (mode == rocblas_pointer_mode_device) {
    result.deviceAlpha = alpha, result.deviceBeta = beta;
  } else {
    result.alpha = *alpha, result.beta = *beta;
  }
  result.a = matrix(g.a, g.transA, g.lda, g.strideA);
  result.b = matrix(g.b, g.transB, g.ldb, g.strideB);
  result.c = matrix(g.c, rocblas_operation_none, g.ldc, g.strideC);
  result.d = matrix(g.d, rocblas_operation_none, g.ldd, g.strideD);
  return result;
}

/** Nothing where the product is to be computed. */
std::optional<rocblas_status> refusal(const Gemm& g) {
  if (!isOperation(g.transA) || !isOperation(g.transB)) return rocblas_status_invalid_value;
  if (!sizesFit(g)) return rocblas_status_invalid_size;
  if (g.m == 0 || g.n == 0 || g.batches == 0) return rocblas_status_success;
  if (!pointersAreThere(g)) return rocblas_status_invalid_pointer;
  if (!kernelFor(g)) return rocblas_status_not_implemented;
  return std::nullopt;
}

} // namespace

rocblas_status run(const RocblasHandle& handle, const Gemm& gemm) {
  if (auto refused = refusal(gemm)) return *refused;
  return handle.launch(*kernelFor(gemm), argumentsOf(gemm, handle.pointerMode),
                       static_cast<unsigned>(gemm.batches));
}

} // namespace millrace
