#include "code_object.h"
#include "control.h"
#include "cubin_section.h"
#include "launch_extra.h"

using namespace millrace;

namespace {

// HIP names an empty grid or block an invalid configuration; CUDA calls it an invalid value.
hipError_t refusal(CUresult result, bool empty) {
  return result == CUDA_ERROR_INVALID_VALUE && empty ? hipErrorInvalidConfiguration : toHip(result);
}

}  // namespace

hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  return deviceCall("hipModuleLoadData", [&]() -> hipError_t {
    if (module == nullptr || image == nullptr) {
      return hipErrorInvalidValue;
    }
    const void* code = cubinIn(image);
    if (code == nullptr) {
      return isAmdgpuElf(image) ? hipErrorNoBinaryForGpu : hipErrorInvalidImage;
    }
    hipError_t status = toHip(cuda.cuModuleLoadData(reinterpret_cast<CUmodule*>(module), code));
    countLive(Live::modules, status == hipSuccess ? 1 : 0);
    return status;
  });
}

hipError_t hipModuleUnload(hipModule_t module) {
  return deviceCall("hipModuleUnload", [&]() -> hipError_t {
    if (module == nullptr) {
      return hipErrorInvalidValue;
    }
    countLive(Live::modules, -1);
    return toHip(cuda.cuModuleUnload(reinterpret_cast<CUmodule>(module)));
  });
}

hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* name) {
  return deviceCall("hipModuleGetFunction", [&]() -> hipError_t {
    if (function == nullptr || module == nullptr || name == nullptr || *name == 0) {
      return hipErrorInvalidValue;
    }
    return toHip(cuda.cuModuleGetFunction(reinterpret_cast<CUfunction*>(function), reinterpret_cast<CUmodule>(module),
                                          name));
  });
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned gridX, unsigned gridY, unsigned gridZ,
                                 unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                                 hipStream_t stream, void** parameters, void** extra) {
  return streamCall("hipModuleLaunchKernel", stream, [&]() -> hipError_t {
    CUresult result;
    if (extra == nullptr) [[likely]] {
      result = cuda.cuLaunchKernel(asCuda(function), gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes,
                                   asCuda(stream), parameters, nullptr);
    } else {
      LaunchExtra list(extra);
      result = cuda.cuLaunchKernel(asCuda(function), gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes,
                                   asCuda(stream), parameters, list.list());
    }
    bool empty = gridX == 0 || gridY == 0 || gridZ == 0 || blockX == 0 || blockY == 0 || blockZ == 0;
    return result == CUDA_SUCCESS ? hipSuccess : refusal(result, empty);
  });
}

hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attribute, hipFunction_t function) {
  return deviceCall("hipFuncGetAttribute", [&]() -> hipError_t {
    if (value == nullptr || function == nullptr || attribute < 0 || attribute >= HIP_FUNC_ATTRIBUTE_MAX) {
      return hipErrorInvalidValue;
    }
    return toHip(cuda.cuFuncGetAttribute(value, static_cast<CUfunction_attribute>(attribute), asCuda(function)));
  });
}
