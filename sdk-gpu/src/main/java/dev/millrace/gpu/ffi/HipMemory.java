package dev.millrace.gpu.ffi;

import java.lang.invoke.MethodHandle;

/** Memory of HIP, and copies. */
public final class HipMemory {
  private static final MethodHandle MALLOC =
      Hip.LIBRARY.check("allocate device memory", "hipError_t hipMalloc(void** ptr, size_t size)");
  private static final MethodHandle FREE =
      Hip.LIBRARY.check("free device memory", "hipError_t hipFree(void* ptr)");
  private static final MethodHandle MALLOC_ASYNC =
      Hip.LIBRARY.check(
          "allocate device memory in stream order",
          "hipError_t hipMallocAsync(void** dev_ptr, size_t size, hipStream_t stream)");
  private static final MethodHandle FREE_ASYNC =
      Hip.LIBRARY.check(
          "free device memory in stream order",
          "hipError_t hipFreeAsync(void* dev_ptr, hipStream_t stream)");
  private static final MethodHandle DEVICE_GET_DEFAULT_MEM_POOL =
      Hip.LIBRARY.check(
          "ask for the memory pool",
          "hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* mem_pool, int device)");
  private static final MethodHandle MEM_POOL_SET_ATTRIBUTE =
      Hip.LIBRARY.check(
          "set up the memory pool",
          "hipError_t hipMemPoolSetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void* value)");
  private static final MethodHandle HOST_MALLOC =
      Hip.LIBRARY.check(
          "allocate pinned memory",
          "hipError_t hipHostMalloc(void** ptr, size_t size, unsigned int flags)");
  private static final MethodHandle HOST_FREE =
      Hip.LIBRARY.check("free pinned memory", "hipError_t hipHostFree(void* ptr)");
  private static final MethodHandle HOST_REGISTER =
      Hip.LIBRARY.check(
          "pin memory",
          "hipError_t hipHostRegister(void* hostPtr, size_t sizeBytes, unsigned int flags)");
  private static final MethodHandle HOST_UNREGISTER =
      Hip.LIBRARY.check("unpin memory", "hipError_t hipHostUnregister(void* hostPtr)");
  private static final MethodHandle MEMCPY_ASYNC =
      Hip.LIBRARY.check(
          "copy",
          "hipError_t hipMemcpyAsync(void* dst, const void* src, size_t sizeBytes, hipMemcpyKind kind, hipStream_t stream)");
  private static final MethodHandle MEMCPY2_DASYNC =
      Hip.LIBRARY.check(
          "copy rows",
          "hipError_t hipMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream)");
  private static final MethodHandle MEMSET_ASYNC =
      Hip.LIBRARY.check(
          "fill memory",
          "hipError_t hipMemsetAsync(void* dst, int value, size_t sizeBytes, hipStream_t stream)");
  private static final MethodHandle POINTER_GET_ATTRIBUTES =
      Hip.LIBRARY.check(
          "ask what an address is",
          "hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* ptr)");
  private static final MethodHandle MEM_GET_INFO =
      Hip.LIBRARY.check(
          "ask for the memory", "hipError_t hipMemGetInfo(size_t* free, size_t* total)");

  private HipMemory() {}

  /**
   * Allocates memory of the current device.
   *
   * @param size bytes
   * @return its address; 0 for 0 bytes
   */
  public static long malloc(long size) {
    long out = Native.slot();
    try {
      MALLOC.invokeExact(out, size);
      return Native.getLong(out);
    } catch (Throwable e) {
      throw Native.unexpected("hipMalloc", e);
    }
  }

  /**
   * Frees device memory, and waits for the device.
   *
   * @param ptr its address
   */
  public static void free(long ptr) {
    try {
      FREE.invokeExact(ptr);
    } catch (Throwable e) {
      throw Native.unexpected("hipFree", e);
    }
  }

  /**
   * Allocates memory that is there when the stream gets to it.
   *
   * @param size bytes
   * @param stream the stream
   * @return its address
   */
  public static long mallocAsync(long size, long stream) {
    long out = Native.slot();
    try {
      MALLOC_ASYNC.invokeExact(out, size, stream);
      return Native.getLong(out);
    } catch (Throwable e) {
      throw Native.unexpected("hipMallocAsync", e);
    }
  }

  /**
   * Frees memory when the stream gets to it.
   *
   * @param dev_ptr its address
   * @param stream the stream
   */
  public static void freeAsync(long dev_ptr, long stream) {
    try {
      FREE_ASYNC.invokeExact(dev_ptr, stream);
    } catch (Throwable e) {
      throw Native.unexpected("hipFreeAsync", e);
    }
  }

  /**
   * The pool of stream-ordered allocations.
   *
   * @param device ordinal
   * @return the pool
   */
  public static long deviceGetDefaultMemPool(int device) {
    long out = Native.slot();
    try {
      DEVICE_GET_DEFAULT_MEM_POOL.invokeExact(out, device);
      return Native.getLong(out);
    } catch (Throwable e) {
      throw Native.unexpected("hipDeviceGetDefaultMemPool", e);
    }
  }

  /**
   * Sets an attribute of a pool.
   *
   * @param mem_pool the pool
   * @param attr which
   * @param value address of the value
   */
  public static void memPoolSetAttribute(long mem_pool, int attr, long value) {
    try {
      MEM_POOL_SET_ATTRIBUTE.invokeExact(mem_pool, attr, value);
    } catch (Throwable e) {
      throw Native.unexpected("hipMemPoolSetAttribute", e);
    }
  }

  /**
   * Allocates memory of the host that the device reads directly.
   *
   * @param size bytes
   * @param flags 0
   * @return its address
   */
  public static long hostMalloc(long size, int flags) {
    long out = Native.slot();
    try {
      HOST_MALLOC.invokeExact(out, size, flags);
      return Native.getLong(out);
    } catch (Throwable e) {
      throw Native.unexpected("hipHostMalloc", e);
    }
  }

  /**
   * Frees pinned memory.
   *
   * @param ptr its address
   */
  public static void hostFree(long ptr) {
    try {
      HOST_FREE.invokeExact(ptr);
    } catch (Throwable e) {
      throw Native.unexpected("hipHostFree", e);
    }
  }

  /**
   * Pins memory of the host.
   *
   * @param hostPtr its address
   * @param sizeBytes bytes
   * @param flags 0
   */
  public static void hostRegister(long hostPtr, long sizeBytes, int flags) {
    try {
      HOST_REGISTER.invokeExact(hostPtr, sizeBytes, flags);
    } catch (Throwable e) {
      throw Native.unexpected("hipHostRegister", e);
    }
  }

  /**
   * Ends the pinning.
   *
   * @param hostPtr its address
   */
  public static void hostUnregister(long hostPtr) {
    try {
      HOST_UNREGISTER.invokeExact(hostPtr);
    } catch (Throwable e) {
      throw Native.unexpected("hipHostUnregister", e);
    }
  }

  /**
   * Copies in stream order.
   *
   * @param dst to
   * @param src from
   * @param sizeBytes bytes
   * @param kind 1 host to device, 2 device to host, 3 device to device, 4 as the addresses say
   * @param stream the stream
   */
  public static void memcpyAsync(long dst, long src, long sizeBytes, int kind, long stream) {
    try {
      MEMCPY_ASYNC.invokeExact(dst, src, sizeBytes, kind, stream);
    } catch (Throwable e) {
      throw Native.unexpected("hipMemcpyAsync", e);
    }
  }

  /**
   * Copies rows in stream order.
   *
   * @param dst to
   * @param dpitch bytes from row to row
   * @param src from
   * @param spitch bytes from row to row
   * @param width bytes of a row
   * @param height rows
   * @param kind as for {@link #memcpyAsync}
   * @param stream the stream
   */
  public static void memcpy2DAsync(
      long dst,
      long dpitch,
      long src,
      long spitch,
      long width,
      long height,
      int kind,
      long stream) {
    try {
      MEMCPY2_DASYNC.invokeExact(dst, dpitch, src, spitch, width, height, kind, stream);
    } catch (Throwable e) {
      throw Native.unexpected("hipMemcpy2DAsync", e);
    }
  }

  /**
   * Fills in stream order.
   *
   * @param dst to
   * @param value of each byte
   * @param sizeBytes bytes
   * @param stream the stream
   */
  public static void memsetAsync(long dst, int value, long sizeBytes, long stream) {
    try {
      MEMSET_ASYNC.invokeExact(dst, value, sizeBytes, stream);
    } catch (Throwable e) {
      throw Native.unexpected("hipMemsetAsync", e);
    }
  }

  /**
   * What an address belongs to.
   *
   * @param attributes address of 32 bytes
   * @param ptr the address
   */
  public static void pointerGetAttributes(long attributes, long ptr) {
    try {
      POINTER_GET_ATTRIBUTES.invokeExact(attributes, ptr);
    } catch (Throwable e) {
      throw Native.unexpected("hipPointerGetAttributes", e);
    }
  }

  /**
   * How much memory the current device has.
   *
   * @return free and total bytes
   */
  public static long[] memGetInfo() {
    long slot = Native.slot();
    try {
      MEM_GET_INFO.invokeExact(slot, slot + Long.BYTES);
    } catch (Throwable e) {
      throw Native.unexpected("hipMemGetInfo", e);
    }
    return new long[] {Native.getLong(slot), Native.getLong(slot + Long.BYTES)};
  }
}
