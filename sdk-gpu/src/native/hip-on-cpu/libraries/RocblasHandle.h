#pragma once

#include "gemm_arguments.h"
#include "rocblas_abi.h"

#include <array>

namespace millrace {

/** The kernels of gemm.hip, by types of the factors and of the result. */
enum class GemmKernel { f32, f16, bf16, f16ToF32, bf16ToF32 };

/** A rocBLAS handle: a stream, a workspace and the kernels, of the device it was made on. */
class RocblasHandle {
public:
  RocblasHandle() = default;
  ~RocblasHandle();
  RocblasHandle(const RocblasHandle&) = delete;
  RocblasHandle& operator=(const RocblasHandle&) = delete;

  /** Allocates the workspace and loads the kernels; once, before all others. */
  rocblas_status open();

  /** Asks HIP what the real library asks it: a stream is never changed unseen. */
  rocblas_status setStream(hipStream_t next);

  /** The caller's memory from now on; null for the handle's own again. */
  rocblas_status setWorkspace(void* address, size_t bytes);

  /** Enqueues that kernel on the handle's stream, a block for each matrix of the batch. */
  rocblas_status launch(GemmKernel kernel, GemmArguments arguments, unsigned batches) const;

  hipStream_t stream = nullptr;
  rocblas_pointer_mode pointerMode = rocblas_pointer_mode_host;
  rocblas_atomics_mode atomicsMode = rocblas_atomics_allowed;

private:
  hipModule_t module = nullptr;
  std::array<hipFunction_t, 5> kernels{};
  void* ownWorkspace = nullptr;
  void* workspace = nullptr;
  size_t workspaceBytes = 0;

  rocblas_status allocateWorkspace();
  rocblas_status loadKernels();
};

} // namespace millrace
