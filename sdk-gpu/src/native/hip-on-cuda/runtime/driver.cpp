#include "driver.h"

#include <dlfcn.h>

#include <cstdio>
#include <initializer_list>

#include "error_names.h"

namespace millrace {

Driver cuda;

namespace {

void* openDriver() {
  for (const char* name : {"libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1", "/usr/local/nvidia/lib/libcuda.so.1",
                           "/usr/lib/x86_64-linux-gnu/libcuda.so.1"}) {
    if (void* library = dlopen(name, RTLD_NOW)) {
      return library;
    }
  }
  return nullptr;
}

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) {
    fprintf(stderr, "hip-on-cuda: this CUDA driver has no %s; it must be of CUDA 13.0 or newer\n", name);
  }
  return function != nullptr;
}

hipError_t load() {
  void* library = openDriver();
  if (library == nullptr) {
    return hipErrorNoDevice;
  }
  bool complete = true;
#define MILLRACE_FIND(name) complete = find(library, #name, cuda.name) && complete;
  MILLRACE_CUDA_FUNCTIONS(MILLRACE_FIND)
#undef MILLRACE_FIND
  return complete ? toHip(cuda.cuInit(0)) : hipErrorInsufficientDriver;
}

}  // namespace

hipError_t startDriver() {
  static const hipError_t started = load();
  return started;
}

hipError_t toHip(CUresult result) {
  switch (static_cast<int>(result)) {
    case CUDA_SUCCESS:
      return hipSuccess;
    case CUDA_ERROR_STUB_LIBRARY:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
      return hipErrorNoDevice;
    case 36:  // CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, of the runtime
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
      return hipErrorInsufficientDriver;
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
      return hipErrorECCNotCorrectable;
    case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
      return hipErrorSharedObjectInitFailed;
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
      return hipErrorInvalidKernelFile;
    case CUDA_ERROR_LOSSY_QUERY:
    case CUDA_ERROR_NOT_PERMITTED:
    case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
      return hipErrorNotSupported;
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING:
      return hipErrorLaunchFailure;
    case CUDA_ERROR_EXTERNAL_DEVICE:  // 911 means something else in HIP
    case CUDA_ERROR_INVALID_CLUSTER_SIZE:
      return hipErrorUnknown;
    default:
      return isHipError(static_cast<int>(result)) ? static_cast<hipError_t>(result) : hipErrorUnknown;
  }
}

}  // namespace millrace
