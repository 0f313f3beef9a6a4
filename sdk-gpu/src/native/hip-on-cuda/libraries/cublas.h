// cuBLAS's C interface as far as rocBLAS's dozen functions need it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace {

using cublasHandle_t = struct CublasContext*;

enum : int { cublasOpN = 0, cublasOpT = 1, cublasOpC = 2 };
enum : int { cudaR32F = 0, cudaR64F = 1, cudaR16F = 2, cudaR8I = 3, cudaR32I = 10, cudaR16BF = 14 };
enum : int { cublasCompute16F = 64, cublasCompute32F = 68, cublasCompute64F = 70, cublasCompute32I = 72 };
enum : int { cublasGemmDefault = -1 };

struct Cublas {
  int (*create)(cublasHandle_t* handle);
  int (*destroy)(cublasHandle_t handle);
  int (*setStream)(cublasHandle_t handle, void* stream);
  int (*setPointerMode)(cublasHandle_t handle, int mode);
  int (*setAtomicsMode)(cublasHandle_t handle, int mode);
  int (*setWorkspace)(cublasHandle_t handle, void* workspace, size_t size);
  int (*getVersion)(cublasHandle_t handle, int* version);
  int (*gemmEx)(cublasHandle_t handle, int transA, int transB, int m, int n, int k, const void* alpha, const void* a,
                int aType, int lda, const void* b, int bType, int ldb, const void* beta, void* c, int cType, int ldc,
                int compute, int algorithm);
  int (*gemmStridedBatchedEx)(cublasHandle_t handle, int transA, int transB, int m, int n, int k, const void* alpha,
                              const void* a, int aType, int lda, long long strideA, const void* b, int bType, int ldb,
                              long long strideB, const void* beta, void* c, int cType, int ldc, long long strideC,
                              int batches, int compute, int algorithm);
};

// Null if cuBLAS is nowhere to be found.
const Cublas* cublas();

}  // namespace millrace
