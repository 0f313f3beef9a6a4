// The process, its devices, and the calling thread's current one.
#include <cstdio>
#include <cstring>

#include "attributes.h"
#include "control.h"

using namespace millrace;

namespace {

constexpr int imitatedVersion = 60400000;  // HIP 6.4.0

// The device's number is right, and the driver runs.
hipError_t checkDevice(int device) {
  int count;
  if (hipError_t status = countDevices(&count)) {
    return status;
  }
  return device < 0 || device >= count ? hipErrorInvalidDevice : hipSuccess;
}

// Counted, but neither fails nor changes what it asks about.
[[gnu::always_inline]] inline void logQuery(const char* function) {
  if (watching.load(std::memory_order_relaxed)) {
    countCall(function);
    logCall(function, noStream, hipSuccess, __builtin_return_address(0));
  }
}

int attribute(int device, hipDeviceAttribute_t wanted) {
  int value = 0;
  attributeOf(device, wanted, &value);
  return value;
}

void fillLimits(hipDeviceProp_tR0600& p, int device) {
  p.sharedMemPerBlock = attribute(device, hipDeviceAttributeMaxSharedMemoryPerBlock);
  p.sharedMemPerBlockOptin = attribute(device, hipDeviceAttributeSharedMemPerBlockOptin);
  p.sharedMemPerMultiprocessor = attribute(device, hipDeviceAttributeSharedMemPerMultiprocessor);
  p.maxSharedMemoryPerMultiProcessor = p.sharedMemPerMultiprocessor;
  p.regsPerBlock = attribute(device, hipDeviceAttributeMaxRegistersPerBlock);
  p.regsPerMultiprocessor = attribute(device, hipDeviceAttributeMaxRegistersPerMultiprocessor);
  p.warpSize = attribute(device, hipDeviceAttributeWarpSize);
  p.memPitch = attribute(device, hipDeviceAttributeMaxPitch);
  p.maxThreadsPerBlock = attribute(device, hipDeviceAttributeMaxThreadsPerBlock);
  p.maxThreadsPerMultiProcessor = attribute(device, hipDeviceAttributeMaxThreadsPerMultiProcessor);
  p.maxBlocksPerMultiProcessor = attribute(device, hipDeviceAttributeMaxBlocksPerMultiProcessor);
  for (int i = 0; i < 3; i++) {
    p.maxThreadsDim[i] = attribute(device, static_cast<hipDeviceAttribute_t>(hipDeviceAttributeMaxBlockDimX + i));
    p.maxGridSize[i] = attribute(device, static_cast<hipDeviceAttribute_t>(hipDeviceAttributeMaxGridDimX + i));
  }
  p.multiProcessorCount = attribute(device, hipDeviceAttributeMultiprocessorCount);
  p.totalConstMem = attribute(device, hipDeviceAttributeTotalConstantMemory);
  p.l2CacheSize = attribute(device, hipDeviceAttributeL2CacheSize);
  p.textureAlignment = attribute(device, hipDeviceAttributeTextureAlignment);
}

void fillAbilities(hipDeviceProp_tR0600& p, int device) {
  p.clockRate = attribute(device, hipDeviceAttributeClockRate);
  p.clockInstructionRate = p.clockRate;
  p.memoryClockRate = attribute(device, hipDeviceAttributeMemoryClockRate);
  p.memoryBusWidth = attribute(device, hipDeviceAttributeMemoryBusWidth);
  p.major = attribute(device, hipDeviceAttributeComputeCapabilityMajor);
  p.minor = attribute(device, hipDeviceAttributeComputeCapabilityMinor);
  p.asyncEngineCount = attribute(device, hipDeviceAttributeAsyncEngineCount);
  p.deviceOverlap = p.asyncEngineCount > 0;
  p.kernelExecTimeoutEnabled = attribute(device, hipDeviceAttributeKernelExecTimeout);
  p.integrated = attribute(device, hipDeviceAttributeIntegrated);
  p.canMapHostMemory = attribute(device, hipDeviceAttributeCanMapHostMemory);
  p.computeMode = attribute(device, hipDeviceAttributeComputeMode);
  p.concurrentKernels = attribute(device, hipDeviceAttributeConcurrentKernels);
  p.ECCEnabled = attribute(device, hipDeviceAttributeEccEnabled);
  p.pciBusID = attribute(device, hipDeviceAttributePciBusId);
  p.pciDeviceID = attribute(device, hipDeviceAttributePciDeviceId);
  p.pciDomainID = attribute(device, hipDeviceAttributePciDomainID);
  p.unifiedAddressing = attribute(device, hipDeviceAttributeUnifiedAddressing);
  p.streamPrioritiesSupported = attribute(device, hipDeviceAttributeStreamPrioritiesSupported);
  p.managedMemory = attribute(device, hipDeviceAttributeManagedMemory);
  p.pageableMemoryAccess = attribute(device, hipDeviceAttributePageableMemoryAccess);
  p.concurrentManagedAccess = attribute(device, hipDeviceAttributeConcurrentManagedAccess);
  p.canUseHostPointerForRegisteredMem = attribute(device, hipDeviceAttributeCanUseHostPointerForRegisteredMem);
  p.cooperativeLaunch = attribute(device, hipDeviceAttributeCooperativeLaunch);
  p.hostRegisterSupported = attribute(device, hipDeviceAttributeHostRegisterSupported);
  p.memoryPoolsSupported = attribute(device, hipDeviceAttributeMemoryPoolsSupported);
}

}  // namespace

hipError_t hipInit(unsigned flags) {
  return call("hipInit", noStream, [&]() -> hipError_t {
    int count;
    return flags != 0 ? hipErrorInvalidValue : countDevices(&count);
  });
}

hipError_t hipGetDeviceCount(int* count) {
  return call("hipGetDeviceCount", noStream,
              [&]() -> hipError_t { return count == nullptr ? hipErrorInvalidValue : countDevices(count); });
}

hipError_t hipSetDevice(int device) {
  return call("hipSetDevice", noStream, [&] { return selectDevice(device); });
}

hipError_t hipGetDevice(int* device) {
  return call("hipGetDevice", noStream, [&]() -> hipError_t {
    if (device == nullptr) {
      return hipErrorInvalidValue;
    }
    *device = self.device;
    return attach();
  });
}

hipError_t hipDeviceGetName(char* name, int length, hipDevice_t device) {
  return call("hipDeviceGetName", noStream, [&]() -> hipError_t {
    if (name == nullptr || length <= 0) {
      return hipErrorInvalidValue;
    }
    hipError_t status = checkDevice(device);
    return status != hipSuccess ? status : toHip(cuda.cuDeviceGetName(name, length, device));
  });
}

hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int device) {
  return call("hipDeviceGetAttribute", noStream, [&]() -> hipError_t {
    if (value == nullptr) {
      return hipErrorInvalidValue;
    }
    hipError_t status = checkDevice(device);
    return status != hipSuccess ? status : attributeOf(device, attribute, value);
  });
}

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* properties, int device) {
  return call("hipGetDevicePropertiesR0600", noStream, [&]() -> hipError_t {
    if (properties == nullptr) {
      return hipErrorInvalidValue;
    }
    if (hipError_t status = checkDevice(device)) {
      return status;
    }
    *properties = {};
    cuda.cuDeviceGetUuid_v2(reinterpret_cast<CUuuid*>(&properties->uuid), device);
    cuda.cuDeviceTotalMem_v2(&properties->totalGlobalMem, device);
    fillLimits(*properties, device);
    fillAbilities(*properties, device);
    snprintf(properties->gcnArchName, sizeof properties->gcnArchName, "sm_%d%d", properties->major, properties->minor);
    return toHip(cuda.cuDeviceGetName(properties->name, sizeof properties->name, device));
  });
}

hipError_t hipDeviceGetPCIBusId(char* id, int length, int device) {
  return call("hipDeviceGetPCIBusId", noStream, [&]() -> hipError_t {
    if (id == nullptr || length <= 0) {
      return hipErrorInvalidValue;
    }
    hipError_t status = checkDevice(device);
    return status != hipSuccess ? status : toHip(cuda.cuDeviceGetPCIBusId(id, length, device));
  });
}

hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t device) {
  return call("hipDeviceGetUuid", noStream, [&]() -> hipError_t {
    if (uuid == nullptr) {
      return hipErrorInvalidValue;
    }
    hipError_t status = checkDevice(device);
    return status != hipSuccess ? status
                                : toHip(cuda.cuDeviceGetUuid_v2(reinterpret_cast<CUuuid*>(uuid), device));
  });
}

hipError_t hipRuntimeGetVersion(int* version) {
  return call("hipRuntimeGetVersion", noStream, [&]() -> hipError_t {
    if (version == nullptr) {
      return hipErrorInvalidValue;
    }
    *version = imitatedVersion;
    return hipSuccess;
  });
}

// HIP answers its own version here too; CUDA's is asked only for whether a driver is there.
hipError_t hipDriverGetVersion(int* version) {
  return call("hipDriverGetVersion", noStream, [&]() -> hipError_t {
    if (version == nullptr) {
      return hipErrorInvalidValue;
    }
    *version = imitatedVersion;
    return startDriver();
  });
}

hipError_t hipMemGetInfo(size_t* free, size_t* total) {
  return deviceCall("hipMemGetInfo", [&]() -> hipError_t {
    return free == nullptr || total == nullptr ? hipErrorInvalidValue : toHip(cuda.cuMemGetInfo_v2(free, total));
  });
}

hipError_t hipDeviceSynchronize(void) {
  return deviceCall("hipDeviceSynchronize", [&] { return toHip(cuda.cuCtxSynchronize()); });
}

// As in HIP 6: the status of the thread's last call, success included.
hipError_t hipGetLastError(void) {
  logQuery("hipGetLastError");
  hipError_t last = self.last;
  self.last = hipSuccess;
  return last;
}

hipError_t hipPeekAtLastError(void) {
  logQuery("hipPeekAtLastError");
  return self.last;
}
