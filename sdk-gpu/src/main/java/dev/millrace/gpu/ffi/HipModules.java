package dev.millrace.gpu.ffi;

import java.lang.invoke.MethodHandle;

/** Code objects of HIP, and launches. */
public final class HipModules {
  private static final MethodHandle MODULE_LOAD_DATA =
      Hip.LIBRARY.check(
          "load a code object",
          "hipError_t hipModuleLoadData(hipModule_t* module, const void* image)");
  private static final MethodHandle MODULE_UNLOAD =
      Hip.LIBRARY.check("unload a code object", "hipError_t hipModuleUnload(hipModule_t module)");
  private static final MethodHandle MODULE_GET_FUNCTION =
      Hip.LIBRARY.check(
          "find a kernel",
          "hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* kname)");
  private static final MethodHandle MODULE_LAUNCH_KERNEL =
      Hip.LIBRARY.check(
          "launch a kernel",
          "hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, hipStream_t stream, void** kernelParams, void** extra)");
  private static final MethodHandle FUNC_GET_ATTRIBUTE =
      Hip.LIBRARY.check(
          "ask for an attribute of a kernel",
          "hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attrib, hipFunction_t hfunc)");

  private HipModules() {}

  /**
   * Loads a code object on the current device.
   *
   * @param image its first byte
   * @return the module
   */
  public static long moduleLoadData(long image) {
    long out = Native.slot();
    try {
      MODULE_LOAD_DATA.invokeExact(out, image);
      return Native.getLong(out);
    } catch (Throwable e) {
      throw Native.unexpected("hipModuleLoadData", e);
    }
  }

  /**
   * Unloads a code object.
   *
   * @param module the module
   */
  public static void moduleUnload(long module) {
    try {
      MODULE_UNLOAD.invokeExact(module);
    } catch (Throwable e) {
      throw Native.unexpected("hipModuleUnload", e);
    }
  }

  /**
   * Finds a kernel.
   *
   * @param module the module
   * @param kname address of its name
   * @return the function
   */
  public static long moduleGetFunction(long module, long kname) {
    long out = Native.slot();
    try {
      MODULE_GET_FUNCTION.invokeExact(out, module, kname);
      return Native.getLong(out);
    } catch (Throwable e) {
      throw Native.unexpected("hipModuleGetFunction", e);
    }
  }

  /**
   * Launches a kernel.
   *
   * @param f the function
   * @param gridDimX blocks
   * @param gridDimY blocks
   * @param gridDimZ blocks
   * @param blockDimX threads
   * @param blockDimY threads
   * @param blockDimZ threads
   * @param sharedMemBytes bytes of dynamic LDS a block
   * @param stream the stream
   * @param kernelParams address of an array of addresses of the arguments
   * @param extra 0
   */
  public static void moduleLaunchKernel(
      long f,
      int gridDimX,
      int gridDimY,
      int gridDimZ,
      int blockDimX,
      int blockDimY,
      int blockDimZ,
      int sharedMemBytes,
      long stream,
      long kernelParams,
      long extra) {
    try {
      MODULE_LAUNCH_KERNEL.invokeExact(
          f,
          gridDimX,
          gridDimY,
          gridDimZ,
          blockDimX,
          blockDimY,
          blockDimZ,
          sharedMemBytes,
          stream,
          kernelParams,
          extra);
    } catch (Throwable e) {
      throw Native.unexpected("hipModuleLaunchKernel", e);
    }
  }

  /**
   * An attribute of a kernel.
   *
   * @param attrib which
   * @param hfunc the function
   * @return its value
   */
  public static int funcGetAttribute(int attrib, long hfunc) {
    long out = Native.slot();
    try {
      FUNC_GET_ATTRIBUTE.invokeExact(out, attrib, hfunc);
      return Native.getInt(out);
    } catch (Throwable e) {
      throw Native.unexpected("hipFuncGetAttribute", e);
    }
  }
}
