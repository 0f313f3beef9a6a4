#include "control.h"

using namespace millrace;

namespace {

CUdeviceptr* asCuda(void** pointer) { return reinterpret_cast<CUdeviceptr*>(pointer); }

bool legal(hipMemcpyKind kind) {
  return (kind >= hipMemcpyHostToHost && kind <= hipMemcpyDefault) || kind == hipMemcpyDeviceToDeviceNoCU;
}

// The null pointer that both APIs answer for a size of 0, CUDA with an error.
template <class Allocate>
hipError_t allocate(void** pointer, size_t size, Allocate from) {
  if (pointer == nullptr) {
    return hipErrorInvalidValue;
  }
  *pointer = nullptr;
  if (size == 0) {
    return hipSuccess;
  }
  hipError_t status = toHip(from());
  if (status == hipSuccess) {
    countBytes(*pointer, size);
  }
  return status;
}

template <class Free>
hipError_t release(void* pointer, Free to) {
  if (pointer == nullptr) {
    return hipSuccess;
  }
  forgetBytes(pointer);
  return toHip(to());
}

}  // namespace

hipError_t hipMalloc(void** pointer, size_t size) {
  return deviceCall("hipMalloc", [&] {
    return allocate(pointer, size, [&] { return cuda.cuMemAlloc_v2(asCuda(pointer), size); });
  });
}

hipError_t hipFree(void* pointer) {
  return deviceCall("hipFree", [&] {
    return release(pointer, [&] { return cuda.cuMemFree_v2(millrace::asCuda(pointer)); });
  });
}

hipError_t hipMallocAsync(void** pointer, size_t size, hipStream_t stream) {
  return streamCall("hipMallocAsync", stream, [&] {
    return allocate(pointer, size,
                    [&] { return cuda.cuMemAllocAsync(asCuda(pointer), size, millrace::asCuda(stream)); });
  });
}

hipError_t hipFreeAsync(void* pointer, hipStream_t stream) {
  return streamCall("hipFreeAsync", stream, [&]() -> hipError_t {
    return pointer == nullptr ? hipErrorInvalidValue : release(pointer, [&] {
      return cuda.cuMemFreeAsync(millrace::asCuda(pointer), millrace::asCuda(stream));
    });
  });
}

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* pool, int device) {
  return deviceCall("hipDeviceGetDefaultMemPool", [&]() -> hipError_t {
    return pool == nullptr ? hipErrorInvalidValue
                           : toHip(cuda.cuDeviceGetDefaultMemPool(reinterpret_cast<CUmemoryPool*>(pool), device));
  });
}

hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void* value) {
  return deviceCall("hipMemPoolSetAttribute", [&]() -> hipError_t {
    if (pool == nullptr || value == nullptr) {
      return hipErrorInvalidValue;
    }
    return toHip(cuda.cuMemPoolSetAttribute(reinterpret_cast<CUmemoryPool>(pool),
                                            static_cast<CUmemPool_attribute>(attribute), value));
  });
}

// Host memory of HIP is always mapped and portable; coherence and NUMA wishes have no counterpart.
hipError_t hipHostMalloc(void** pointer, size_t size, unsigned flags) {
  return deviceCall("hipHostMalloc", [&] {
    unsigned wanted = (flags & hipHostMallocWriteCombined) | CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP;
    return allocate(pointer, size, [&] { return cuda.cuMemHostAlloc(pointer, size, wanted); });
  });
}

hipError_t hipHostFree(void* pointer) {
  return deviceCall("hipHostFree", [&] { return release(pointer, [&] { return cuda.cuMemFreeHost(pointer); }); });
}

hipError_t hipHostRegister(void* pointer, size_t size, unsigned flags) {
  return deviceCall("hipHostRegister", [&]() -> hipError_t {
    unsigned wanted = (flags & hipHostRegisterIoMemory) | CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP;
    return pointer == nullptr || size == 0 ? hipErrorInvalidValue
                                           : toHip(cuda.cuMemHostRegister_v2(pointer, size, wanted));
  });
}

hipError_t hipHostUnregister(void* pointer) {
  return deviceCall("hipHostUnregister", [&]() -> hipError_t {
    return pointer == nullptr ? hipErrorInvalidValue : toHip(cuda.cuMemHostUnregister(pointer));
  });
}

hipError_t hipMemcpyAsync(void* to, const void* from, size_t size, hipMemcpyKind kind, hipStream_t stream) {
  return streamCall("hipMemcpyAsync", stream, [&]() -> hipError_t {
    if (!legal(kind)) {
      return hipErrorInvalidMemcpyDirection;
    }
    if (size == 0) {
      return hipSuccess;
    }
    if (to == nullptr || from == nullptr) {
      return hipErrorInvalidValue;
    }
    return toHip(cuda.cuMemcpyAsync(millrace::asCuda(to), millrace::asCuda(from), size, millrace::asCuda(stream)));
  });
}

hipError_t hipMemcpy(void* to, const void* from, size_t size, hipMemcpyKind kind) {
  return deviceCall("hipMemcpy", [&]() -> hipError_t {
    if (!legal(kind)) {
      return hipErrorInvalidMemcpyDirection;
    }
    return size == 0 ? hipSuccess : toHip(cuda.cuMemcpy(millrace::asCuda(to), millrace::asCuda(from), size));
  });
}

hipError_t hipMemcpy2DAsync(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width, size_t height,
                            hipMemcpyKind kind, hipStream_t stream) {
  return streamCall("hipMemcpy2DAsync", stream, [&]() -> hipError_t {
    if (!legal(kind)) {
      return hipErrorInvalidMemcpyDirection;
    }
    if (width == 0 || height == 0) {
      return hipSuccess;
    }
    if (to == nullptr || from == nullptr) {
      return hipErrorInvalidValue;
    }
    if (width > toPitch || width > fromPitch) {
      return hipErrorInvalidPitchValue;
    }
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    copy.srcDevice = millrace::asCuda(from);
    copy.srcPitch = fromPitch;
    copy.dstDevice = millrace::asCuda(to);
    copy.dstPitch = toPitch;
    copy.WidthInBytes = width;
    copy.Height = height;
    return toHip(cuda.cuMemcpy2DAsync_v2(&copy, millrace::asCuda(stream)));
  });
}

hipError_t hipMemsetAsync(void* to, int value, size_t size, hipStream_t stream) {
  return streamCall("hipMemsetAsync", stream, [&]() -> hipError_t {
    if (size == 0) {
      return hipSuccess;
    }
    if (to == nullptr) {
      return hipErrorInvalidValue;
    }
    auto byte = static_cast<unsigned char>(value);
    return toHip(cuda.cuMemsetD8Async(millrace::asCuda(to), byte, size, millrace::asCuda(stream)));
  });
}

// HIP refuses a pointer that it does not know; CUDA describes it as unregistered.
hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* pointer) {
  return deviceCall("hipPointerGetAttributes", [&]() -> hipError_t {
    if (attributes == nullptr || pointer == nullptr) {
      return hipErrorInvalidValue;
    }
    unsigned type = 0;
    int managed = 0;
    int device = 0;
    CUdeviceptr devicePointer = 0;
    void* hostPointer = nullptr;
    CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                    CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                    CU_POINTER_ATTRIBUTE_HOST_POINTER};
    void* values[] = {&type, &managed, &device, &devicePointer, &hostPointer};
    if (hipError_t status = toHip(cuda.cuPointerGetAttributes(5, wanted, values, millrace::asCuda(pointer)))) {
      return status;
    }
    if (type != CU_MEMORYTYPE_HOST && type != CU_MEMORYTYPE_DEVICE) {
      return hipErrorInvalidValue;
    }
    *attributes = {};
    attributes->type = managed                      ? hipMemoryTypeManaged
                       : type == CU_MEMORYTYPE_HOST ? hipMemoryTypeHost
                                                    : hipMemoryTypeDevice;
    attributes->device = device;
    attributes->devicePointer = reinterpret_cast<void*>(devicePointer);
    attributes->hostPointer = hostPointer;
    attributes->isManaged = managed;
    return hipSuccess;
  });
}
