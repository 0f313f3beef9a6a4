#include <cstring>
#include <string>

#include "check.h"

using namespace selftest;

namespace {

int attribute(hipDeviceAttribute_t wanted) {
  int value = -1;
  OK(hipDeviceGetAttribute(&value, wanted, 0));
  return value;
}

void testAttributes(const hipDeviceProp_tR0600& p) {
  CHECK(attribute(hipDeviceAttributeWarpSize) == 32);
  CHECK(attribute(hipDeviceAttributeMaxThreadsPerBlock) == 1024);
  CHECK(attribute(hipDeviceAttributeMultiprocessorCount) == p.multiProcessorCount);
  CHECK(attribute(hipDeviceAttributeComputeCapabilityMajor) == p.major);
  CHECK(attribute(hipDeviceAttributeWallClockRate) == 1000000);
  CHECK(attribute(hipDeviceAttributeUnifiedAddressing) == 1);
  CHECK(attribute(hipDeviceAttributeMaxBlockDimZ) == 64);
  CHECK(attribute(hipDeviceAttributeTotalGlobalMem) > 0);
  for (auto wanted :
       {hipDeviceAttributeEccEnabled, hipDeviceAttributeAsyncEngineCount, hipDeviceAttributeCanMapHostMemory,
        hipDeviceAttributeCanUseHostPointerForRegisteredMem, hipDeviceAttributeClockRate, hipDeviceAttributeComputeMode,
        hipDeviceAttributeConcurrentKernels, hipDeviceAttributeConcurrentManagedAccess,
        hipDeviceAttributeCooperativeLaunch, hipDeviceAttributeIntegrated, hipDeviceAttributeKernelExecTimeout,
        hipDeviceAttributeL2CacheSize, hipDeviceAttributeManagedMemory, hipDeviceAttributeMaxBlocksPerMultiProcessor,
        hipDeviceAttributeMaxGridDimX, hipDeviceAttributeMaxThreadsPerMultiProcessor, hipDeviceAttributeMaxPitch,
        hipDeviceAttributeMemoryBusWidth, hipDeviceAttributeMemoryClockRate, hipDeviceAttributeComputeCapabilityMinor,
        hipDeviceAttributePageableMemoryAccess, hipDeviceAttributePciBusId, hipDeviceAttributePciDeviceId,
        hipDeviceAttributePciDomainID, hipDeviceAttributeMaxRegistersPerBlock,
        hipDeviceAttributeMaxRegistersPerMultiprocessor, hipDeviceAttributeMaxSharedMemoryPerBlock,
        hipDeviceAttributeSharedMemPerBlockOptin, hipDeviceAttributeSharedMemPerMultiprocessor,
        hipDeviceAttributeStreamPrioritiesSupported, hipDeviceAttributeTextureAlignment,
        hipDeviceAttributeTotalConstantMemory, hipDeviceAttributeMemoryPoolsSupported,
        hipDeviceAttributeHostRegisterSupported, hipDeviceAttributeClockInstructionRate,
        hipDeviceAttributeMaxSharedMemoryPerMultiprocessor, hipDeviceAttributeIsLargeBar,
        hipDeviceAttributeAsicRevision, hipDeviceAttributePhysicalMultiProcessorCount,
        hipDeviceAttributeFineGrainSupport}) {
    CHECK(attribute(wanted) >= 0);
  }
  int value;
  STATUS(hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(9998), 0), hipErrorInvalidValue);
}

}  // namespace

void selftest::testDevices() {
  int count = 0;
  int device = -1;
  OK(hipInit(0));
  STATUS(hipInit(1), hipErrorInvalidValue);
  OK(hipGetDeviceCount(&count));
  OK(hipGetDevice(&device));
  CHECK(device == 0);
  OK(hipSetDevice(0));
  STATUS(hipSetDevice(count), hipErrorInvalidDevice);
  CHECK(hipPeekAtLastError() == hipErrorInvalidDevice);
  CHECK(hipGetLastError() == hipErrorInvalidDevice);
  CHECK(hipGetLastError() == hipSuccess);

  char text[256];
  hipUUID uuid{};
  hipDeviceProp_tR0600 p;
  OK(hipGetDevicePropertiesR0600(&p, 0));
  OK(hipDeviceGetName(text, sizeof text, 0));
  CHECK(strcmp(text, p.name) == 0);
  CHECK(strncmp(p.gcnArchName, "sm_", 3) == 0);
  CHECK(p.warpSize == 32 && p.totalGlobalMem > 1u << 30);
  OK(hipDeviceGetPCIBusId(text, sizeof text, 0));
  CHECK(strlen(text) == 12);
  OK(hipDeviceGetUuid(&uuid, 0));
  CHECK(memcmp(&uuid, &p.uuid, sizeof uuid) == 0);
  testAttributes(p);

  int version = 0;
  OK(hipRuntimeGetVersion(&version));
  CHECK(version / 100000 == 604);
  OK(hipDriverGetVersion(&version));
  size_t free = 0;
  size_t total = 0;
  OK(hipMemGetInfo(&free, &total));
  CHECK(free > 0 && free <= total);
  OK(hipDeviceSynchronize());
  CHECK(strcmp(hipGetErrorName(hipErrorNotReady), "hipErrorNotReady") == 0);
  CHECK(strcmp(hipGetErrorName(hipErrorContextIsDestroyed), "hipErrorContextIsDestroyed") == 0);
  CHECK(strcmp(hipGetErrorString(hipErrorOutOfMemory), "out of memory") == 0);
}
