#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "control.h"
#include "hip_on_cpu.h"
#include "memory.h"
#include "runtime.h"

using namespace hipcpu;

namespace {

constexpr int kVersion = 60443484;  // the release whose rules are imitated
constexpr int kWavefront = 32;
constexpr int kThreadsPerBlock = 1024;
constexpr int kComputeUnits = 20;
constexpr int kClockKilohertz = 1900000, kMemoryClockKilohertz = 875000, kBusBits = 256;
constexpr size_t kSharedBytes = 64 * 1024;
constexpr int kL2Bytes = 4 << 20;
constexpr int kRegisters = 65536;

int clamped(long count) { return static_cast<int>(std::clamp(count, 0L, static_cast<long>(kMaxDevices))); }

std::atomic<int>& devices() {
  static std::atomic<int> count{[] {
    const char* text = std::getenv("HIP_ON_CPU_DEVICES");
    return text == nullptr ? 2 : clamped(std::strtol(text, nullptr, 10));
  }()};
  return count;
}

const char* architecture() {
  const char* text = std::getenv("HIP_ON_CPU_ARCH");
  return text == nullptr || *text == '\0' ? "gfx1010" : text;
}

int busId(int device) { return 3 + 0x40 * (device % 4) + device / 4; }

// "gfx90a" is 9.0, "gfx1010" is 10.1: the last two digits are the minor version and the stepping.
int major() {
  std::string digits(architecture() + std::min<size_t>(3, std::strlen(architecture())));
  digits = digits.substr(0, digits.find(':'));
  return digits.size() < 3 ? 10 : std::atoi(digits.substr(0, digits.size() - 2).c_str());
}

int minor() {
  std::string digits(architecture() + std::min<size_t>(3, std::strlen(architecture())));
  digits = digits.substr(0, digits.find(':'));
  return digits.size() < 3 ? 1 : digits[digits.size() - 2] - '0';
}

bool isDevice(int device) { return device >= 0 && device < deviceCount(); }

// The bytes are text, as HIP's are: sixteen hexadecimal digits.
hipUUID uuid(int device) {
  hipUUID uuid;
  char text[32];
  std::snprintf(text, sizeof text, "4d696c6c7261%04x", static_cast<unsigned>(device));
  std::memcpy(uuid.bytes, text, sizeof uuid.bytes);
  return uuid;
}

hipDeviceProp_tR0600 properties(int device) {
  hipDeviceProp_tR0600 p{};
  std::snprintf(p.name, sizeof p.name, "HIP on CPU %d", device);
  std::snprintf(p.gcnArchName, sizeof p.gcnArchName, "%s", architecture());
  p.uuid = uuid(device);
  p.totalGlobalMem = deviceMemoryLimit();
  p.sharedMemPerBlock = p.sharedMemPerMultiprocessor = p.maxSharedMemoryPerMultiProcessor = p.sharedMemPerBlockOptin =
      kSharedBytes;
  p.regsPerBlock = p.regsPerMultiprocessor = kRegisters;
  p.warpSize = kWavefront;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = kThreadsPerBlock;
  std::fill_n(p.maxThreadsDim, 3, kThreadsPerBlock);
  std::fill_n(p.maxGridSize, 3, 0x7fffffff);
  p.clockRate = kClockKilohertz;
  p.totalConstMem = 0x7fffffff;
  p.major = major();
  p.minor = minor();
  p.textureAlignment = p.texturePitchAlignment = 256;
  p.multiProcessorCount = kComputeUnits;
  p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = p.streamPrioritiesSupported = 1;
  p.pciBusID = busId(device);
  p.asyncEngineCount = 2;
  p.memoryClockRate = kMemoryClockKilohertz;
  p.memoryBusWidth = kBusBits;
  p.l2CacheSize = kL2Bytes;
  p.maxThreadsPerMultiProcessor = 2 * kThreadsPerBlock;
  p.canUseHostPointerForRegisteredMem = p.cooperativeLaunch = p.hostRegisterSupported = p.memoryPoolsSupported = 1;
  p.maxBlocksPerMultiProcessor = 2;
  p.clockInstructionRate = 100000;
  p.arch = 0x1ffff;
  p.isLargeBar = 1;
  return p;
}

hipError_t attribute(int* value, hipDeviceAttribute_t attribute, int device) {
  auto p = properties(device);
  switch (attribute) {
    case hipDeviceAttributeEccEnabled:
      *value = p.ECCEnabled;
      break;
    case hipDeviceAttributeAsyncEngineCount:
      *value = p.asyncEngineCount;
      break;
    case hipDeviceAttributeCanMapHostMemory:
      *value = p.canMapHostMemory;
      break;
    case hipDeviceAttributeCanUseHostPointerForRegisteredMem:
      *value = p.canUseHostPointerForRegisteredMem;
      break;
    case hipDeviceAttributeClockRate:
      *value = p.clockRate;
      break;
    case hipDeviceAttributeComputeMode:
      *value = p.computeMode;
      break;
    case hipDeviceAttributeConcurrentKernels:
      *value = p.concurrentKernels;
      break;
    case hipDeviceAttributeConcurrentManagedAccess:
      *value = p.concurrentManagedAccess;
      break;
    case hipDeviceAttributeCooperativeLaunch:
      *value = p.cooperativeLaunch;
      break;
    case hipDeviceAttributeIntegrated:
      *value = p.integrated;
      break;
    case hipDeviceAttributeKernelExecTimeout:
      *value = p.kernelExecTimeoutEnabled;
      break;
    case hipDeviceAttributeL2CacheSize:
      *value = p.l2CacheSize;
      break;
    case hipDeviceAttributeComputeCapabilityMajor:
      *value = p.major;
      break;
    case hipDeviceAttributeComputeCapabilityMinor:
      *value = p.minor;
      break;
    case hipDeviceAttributeManagedMemory:
      *value = p.managedMemory;
      break;
    case hipDeviceAttributeMaxBlocksPerMultiProcessor:
      *value = p.maxBlocksPerMultiProcessor;
      break;
    case hipDeviceAttributeMaxBlockDimX:
      *value = p.maxThreadsDim[0];
      break;
    case hipDeviceAttributeMaxBlockDimY:
      *value = p.maxThreadsDim[1];
      break;
    case hipDeviceAttributeMaxBlockDimZ:
      *value = p.maxThreadsDim[2];
      break;
    case hipDeviceAttributeMaxGridDimX:
      *value = p.maxGridSize[0];
      break;
    case hipDeviceAttributeMaxGridDimY:
      *value = p.maxGridSize[1];
      break;
    case hipDeviceAttributeMaxGridDimZ:
      *value = p.maxGridSize[2];
      break;
    case hipDeviceAttributeMaxThreadsPerBlock:
      *value = p.maxThreadsPerBlock;
      break;
    case hipDeviceAttributeMaxThreadsPerMultiProcessor:
      *value = p.maxThreadsPerMultiProcessor;
      break;
    case hipDeviceAttributeMaxPitch:
      *value = static_cast<int>(p.memPitch);
      break;
    case hipDeviceAttributeMemoryBusWidth:
      *value = p.memoryBusWidth;
      break;
    case hipDeviceAttributeMemoryClockRate:
      *value = p.memoryClockRate;
      break;
    case hipDeviceAttributeMultiprocessorCount:
      *value = p.multiProcessorCount;
      break;
    case hipDeviceAttributePhysicalMultiProcessorCount:
      *value = p.multiProcessorCount;
      break;
    case hipDeviceAttributePageableMemoryAccess:
      *value = p.pageableMemoryAccess;
      break;
    case hipDeviceAttributePciBusId:
      *value = p.pciBusID;
      break;
    case hipDeviceAttributePciDeviceId:
      *value = p.pciDeviceID;
      break;
    case hipDeviceAttributePciDomainID:
      *value = p.pciDomainID;
      break;
    case hipDeviceAttributeMaxRegistersPerBlock:
      *value = p.regsPerBlock;
      break;
    case hipDeviceAttributeMaxRegistersPerMultiprocessor:
      *value = p.regsPerMultiprocessor;
      break;
    case hipDeviceAttributeMaxSharedMemoryPerBlock:
      *value = static_cast<int>(p.sharedMemPerBlock);
      break;
    case hipDeviceAttributeSharedMemPerBlockOptin:
      *value = static_cast<int>(p.sharedMemPerBlockOptin);
      break;
    case hipDeviceAttributeSharedMemPerMultiprocessor:
      *value = static_cast<int>(p.sharedMemPerMultiprocessor);
      break;
    case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor:
      *value = static_cast<int>(kSharedBytes);
      break;
    case hipDeviceAttributeStreamPrioritiesSupported:
      *value = p.streamPrioritiesSupported;
      break;
    case hipDeviceAttributeTextureAlignment:
      *value = static_cast<int>(p.textureAlignment);
      break;
    case hipDeviceAttributeTotalConstantMemory:
      *value = static_cast<int>(p.totalConstMem);
      break;
    case hipDeviceAttributeTotalGlobalMem:
      *value = static_cast<int>(p.totalGlobalMem);
      break;
    case hipDeviceAttributeUnifiedAddressing:
      *value = p.unifiedAddressing;
      break;
    case hipDeviceAttributeWarpSize:
      *value = p.warpSize;
      break;
    case hipDeviceAttributeMemoryPoolsSupported:
      *value = p.memoryPoolsSupported;
      break;
    case hipDeviceAttributeHostRegisterSupported:
      *value = p.hostRegisterSupported;
      break;
    case hipDeviceAttributeClockInstructionRate:
      *value = p.clockInstructionRate;
      break;
    case hipDeviceAttributeWallClockRate:
      *value = p.clockInstructionRate;
      break;
    case hipDeviceAttributeIsLargeBar:
      *value = p.isLargeBar;
      break;
    case hipDeviceAttributeAsicRevision:
      *value = p.asicRevision;
      break;
    case hipDeviceAttributeFineGrainSupport:
      *value = 1;
      break;
    default:
      return hipErrorInvalidValue;
  }
  return hipSuccess;
}

hipError_t copyText(const char* text, char* to, int length) {
  if (to == nullptr || length <= 0) return hipErrorInvalidValue;
  std::snprintf(to, static_cast<size_t>(length), "%s", text);
  return hipSuccess;
}

}  // namespace

int hipcpu::deviceCount() { return devices().load(std::memory_order_relaxed); }

extern "C" void hipOnCpuDevices(int count) { devices() = clamped(count); }

hipError_t hipInit(unsigned flags) {
  return api(__func__, kNoStream, CALLER, [&] { return flags == 0 ? hipSuccess : hipErrorInvalidValue; });
}

hipError_t hipGetDeviceCount(int* count) {
  return apiWithoutDevice(__func__, kNoStream, CALLER, [&] {
    if (count == nullptr) return hipErrorInvalidValue;
    *count = deviceCount();
    return *count == 0 ? hipErrorNoDevice : hipSuccess;
  });
}

hipError_t hipSetDevice(int device) {
  return api(__func__, kNoStream, CALLER, [&] {
    if (!isDevice(device)) return hipErrorInvalidDevice;
    threadState().device = device;
    return hipSuccess;
  });
}

hipError_t hipGetDevice(int* device) {
  return api(__func__, kNoStream, CALLER, [&] {
    if (device == nullptr) return hipErrorInvalidValue;
    *device = threadState().device;
    return hipSuccess;
  });
}

hipError_t hipDeviceGetName(char* name, int length, hipDevice_t device) {
  return api(__func__, kNoStream, CALLER, [&] {
    if (!isDevice(device)) return hipErrorInvalidDevice;
    return copyText(properties(device).name, name, length);
  });
}

hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t which, int device) {
  return api(__func__, kNoStream, CALLER, [&] {
    if (value == nullptr) return hipErrorInvalidValue;
    if (!isDevice(device)) return hipErrorInvalidDevice;
    return attribute(value, which, device);
  });
}

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* p, int device) {
  return api(__func__, kNoStream, CALLER, [&] {
    if (p == nullptr) return hipErrorInvalidValue;
    if (!isDevice(device)) return hipErrorInvalidDevice;
    *p = properties(device);
    return hipSuccess;
  });
}

hipError_t hipDeviceGetPCIBusId(char* id, int length, int device) {
  return api(__func__, kNoStream, CALLER, [&] {
    if (!isDevice(device)) return hipErrorInvalidDevice;
    char text[32];
    std::snprintf(text, sizeof text, "0000:%02x:00.0", static_cast<unsigned>(busId(device)));
    return copyText(text, id, length);
  });
}

hipError_t hipDeviceGetUuid(hipUUID* out, hipDevice_t device) {
  return api(__func__, kNoStream, CALLER, [&] {
    if (out == nullptr) return hipErrorInvalidValue;
    if (!isDevice(device)) return hipErrorInvalidDevice;
    *out = uuid(device);
    return hipSuccess;
  });
}

hipError_t hipRuntimeGetVersion(int* version) {
  return apiWithoutDevice(__func__, kNoStream, CALLER, [&] {
    if (version == nullptr) return hipErrorInvalidValue;
    *version = kVersion;
    return hipSuccess;
  });
}

hipError_t hipDriverGetVersion(int* version) {
  return apiWithoutDevice(__func__, kNoStream, CALLER, [&] {
    if (version == nullptr) return hipErrorInvalidValue;
    *version = kVersion;
    return hipSuccess;
  });
}

hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t device) {
  return api(__func__, kNoStream, CALLER, [&] {
    if (bytes == nullptr) return hipErrorInvalidValue;
    if (!isDevice(device)) return hipErrorInvalidDevice;
    *bytes = deviceMemoryLimit();
    return hipSuccess;
  });
}
