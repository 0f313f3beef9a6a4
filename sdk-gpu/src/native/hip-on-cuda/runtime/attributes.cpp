#include "attributes.h"

#include <algorithm>
#include <climits>

namespace millrace {
namespace {

// HIP numbers the attributes in its own order.
int cudaAttribute(hipDeviceAttribute_t attribute) {
  switch (attribute) {
    case hipDeviceAttributeEccEnabled: return CU_DEVICE_ATTRIBUTE_ECC_ENABLED;
    case hipDeviceAttributeAsyncEngineCount: return CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT;
    case hipDeviceAttributeCanMapHostMemory: return CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY;
    case hipDeviceAttributeCanUseHostPointerForRegisteredMem:
      return CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM;
    case hipDeviceAttributeClockRate: return CU_DEVICE_ATTRIBUTE_CLOCK_RATE;
    case hipDeviceAttributeClockInstructionRate: return CU_DEVICE_ATTRIBUTE_CLOCK_RATE;
    case hipDeviceAttributeComputeMode: return CU_DEVICE_ATTRIBUTE_COMPUTE_MODE;
    case hipDeviceAttributeConcurrentKernels: return CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS;
    case hipDeviceAttributeConcurrentManagedAccess: return CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS;
    case hipDeviceAttributeCooperativeLaunch: return CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH;
    case hipDeviceAttributeIntegrated: return CU_DEVICE_ATTRIBUTE_INTEGRATED;
    case hipDeviceAttributeKernelExecTimeout: return CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT;
    case hipDeviceAttributeL2CacheSize: return CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE;
    case hipDeviceAttributeComputeCapabilityMajor: return CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
    case hipDeviceAttributeComputeCapabilityMinor: return CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR;
    case hipDeviceAttributeManagedMemory: return CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY;
    case hipDeviceAttributeMaxBlocksPerMultiProcessor: return CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR;
    case hipDeviceAttributeMaxBlockDimX: return CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X;
    case hipDeviceAttributeMaxBlockDimY: return CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y;
    case hipDeviceAttributeMaxBlockDimZ: return CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z;
    case hipDeviceAttributeMaxGridDimX: return CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X;
    case hipDeviceAttributeMaxGridDimY: return CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y;
    case hipDeviceAttributeMaxGridDimZ: return CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z;
    case hipDeviceAttributeMaxThreadsPerBlock: return CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
    case hipDeviceAttributeMaxThreadsPerMultiProcessor: return CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR;
    case hipDeviceAttributeMaxPitch: return CU_DEVICE_ATTRIBUTE_MAX_PITCH;
    case hipDeviceAttributeMemoryBusWidth: return CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH;
    case hipDeviceAttributeMemoryClockRate: return CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE;
    case hipDeviceAttributeMultiprocessorCount: return CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
    case hipDeviceAttributePhysicalMultiProcessorCount: return CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
    case hipDeviceAttributePageableMemoryAccess: return CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS;
    case hipDeviceAttributePciBusId: return CU_DEVICE_ATTRIBUTE_PCI_BUS_ID;
    case hipDeviceAttributePciDeviceId: return CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID;
    case hipDeviceAttributePciDomainID: return CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID;
    case hipDeviceAttributeMaxRegistersPerBlock: return CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK;
    case hipDeviceAttributeMaxRegistersPerMultiprocessor: return CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR;
    case hipDeviceAttributeMaxSharedMemoryPerBlock: return CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK;
    case hipDeviceAttributeSharedMemPerBlockOptin: return CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
    case hipDeviceAttributeSharedMemPerMultiprocessor:
    case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor:
      return CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR;
    case hipDeviceAttributeStreamPrioritiesSupported: return CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED;
    case hipDeviceAttributeTextureAlignment: return CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT;
    case hipDeviceAttributeTotalConstantMemory: return CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY;
    case hipDeviceAttributeUnifiedAddressing: return CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING;
    case hipDeviceAttributeWarpSize: return CU_DEVICE_ATTRIBUTE_WARP_SIZE;
    case hipDeviceAttributeMemoryPoolsSupported: return CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED;
    case hipDeviceAttributeHostRegisterSupported: return CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED;
    default: return 0;
  }
}

}  // namespace

hipError_t attributeOf(CUdevice device, hipDeviceAttribute_t attribute, int* value) {
  switch (attribute) {
    case hipDeviceAttributeWallClockRate:
      *value = 1000000;  // wall_clock64() of hip-on-cuda's hipRTC counts nanoseconds
      return hipSuccess;
    case hipDeviceAttributeIsLargeBar:
    case hipDeviceAttributeAsicRevision:
      *value = 0;
      return hipSuccess;
    case hipDeviceAttributeFineGrainSupport:
      *value = 1;
      return hipSuccess;
    case hipDeviceAttributeTotalGlobalMem: {
      size_t bytes = 0;
      hipError_t status = toHip(cuda.cuDeviceTotalMem_v2(&bytes, device));
      *value = static_cast<int>(std::min<size_t>(bytes, INT_MAX));
      return status;
    }
    default:
      break;
  }
  int wanted = cudaAttribute(attribute);
  return wanted == 0 ? hipErrorInvalidValue
                     : toHip(cuda.cuDeviceGetAttribute(value, static_cast<CUdevice_attribute>(wanted), device));
}

}  // namespace millrace
