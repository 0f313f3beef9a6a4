#include "RocblasHandle.h"

#include "gemm_code.h"
#include "hip_status.h"

namespace millrace {

namespace {

// As the real library takes on GPUs other than gfx942.
constexpr size_t defaultWorkspaceBytes = 32 << 20;

// In the order of GemmKernel.
constexpr const char* kernelNames[] = {"gemm_f32", "gemm_f16", "gemm_bf16", "gemm_f16_f32",
                                       "gemm_bf16_f32"};

} // namespace

RocblasHandle::~RocblasHandle() {
  // Nobody is left to tell: the handle is gone whatever these answer.
  if (ownWorkspace) (void)hipFree(ownWorkspace);
  if (module) (void)hipModuleUnload(module);
}

rocblas_status RocblasHandle::open() {
  int device;
  if (hipGetDevice(&device) != hipSuccess) return rocblas_status_internal_error;
  if (auto failed = allocateWorkspace()) return failed;
  return loadKernels();
}

// All at once: a product is then one launch, and can be captured.
rocblas_status RocblasHandle::loadKernels() {
  if (auto error = hipModuleLoadData(&module, millraceGemmCode)) return statusOf(error);
  for (size_t i = 0; i < kernels.size(); ++i)
    if (auto error = hipModuleGetFunction(&kernels[i], module, kernelNames[i]))
      return statusOf(error);
  return rocblas_status_success;
}

rocblas_status RocblasHandle::setStream(hipStream_t next) {
  if (next == stream) return rocblas_status_success;
  hipStreamCaptureStatus nextCapture, oldCapture;
  if (auto error = hipStreamIsCapturing(next, &nextCapture)) return statusOf(error);
  if (auto error = hipStreamIsCapturing(stream, &oldCapture)) return statusOf(error);
  if (nextCapture == hipStreamCaptureStatusNone) { // the question would end a capture
    auto error = hipStreamQuery(next);
    if (error != hipSuccess && error != hipErrorNotReady) return statusOf(error);
  }
  stream = next;
  return rocblas_status_success;
}

rocblas_status RocblasHandle::setWorkspace(void* address, size_t bytes) {
  if (!address) return ownWorkspace ? rocblas_status_success : allocateWorkspace();
  void* freed = ownWorkspace;
  ownWorkspace = nullptr;
  workspace = address;
  workspaceBytes = bytes;
  return freed ? statusOf(hipFree(freed)) : rocblas_status_success;
}

rocblas_status RocblasHandle::allocateWorkspace() {
  if (auto error = hipMalloc(&ownWorkspace, defaultWorkspaceBytes)) return statusOf(error);
  workspace = ownWorkspace;
  workspaceBytes = defaultWorkspaceBytes;
  return rocblas_status_success;
}

rocblas_status RocblasHandle::launch(GemmKernel kernel, GemmArguments arguments,
                                     unsigned batches) const {
  arguments.workspace = static_cast<float*>(workspace);
  arguments.workspaceBytes = workspaceBytes;
  void* parameters[] = {&arguments};
  return statusOf(hipModuleLaunchKernel(kernels[static_cast<size_t>(kernel)], batches, 1, 1, 1, 1,
                                        1, 0, stream, parameters, nullptr));
}

} // namespace millrace
