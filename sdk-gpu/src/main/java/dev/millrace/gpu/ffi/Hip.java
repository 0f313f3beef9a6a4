package dev.millrace.gpu.ffi;

import dev.millrace.error.DeviceException;
import dev.millrace.error.LibraryMissingException;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/** The HIP runtime: whether it is there, its versions, and the names of its errors. */
public final class Hip {
  static final NativeLibrary LIBRARY =
      NativeLibrary.open("amdhip64", List.of(8, 7, 6, 5), Hip::errorName);

  /** What a query answers while something is outstanding. */
  private static final int NOT_READY = 600;

  private static final MethodHandle GET_ERROR_NAME =
      LIBRARY.plain("const char* hipGetErrorName(hipError_t hip_error)");
  private static final MethodHandle RUNTIME_GET_VERSION =
      LIBRARY.check(
          "ask for the version of HIP", "hipError_t hipRuntimeGetVersion(int* runtimeVersion)");
  private static final MethodHandle DRIVER_GET_VERSION =
      LIBRARY.check(
          "ask for the version of the driver",
          "hipError_t hipDriverGetVersion(int* driverVersion)");
  private static final MethodHandle GET_LAST_ERROR =
      LIBRARY.plain("hipError_t hipGetLastError(void)");

  private Hip() {}

  /**
   * Why the runtime is not there.
   *
   * @return the reason, or empty
   */
  public static Optional<LibraryMissingException> missing() {
    return LIBRARY.missing();
  }

  /**
   * Whether this release of the runtime has a function.
   *
   * @param function its name
   * @return false also where there is no runtime
   */
  public static boolean has(String function) {
    return LIBRARY.has(function);
  }

  /**
   * The runtime's version.
   *
   * @return as HIP writes it: major, minor, patch as decimal digits, for example 60443484
   */
  public static int runtimeVersion() {
    return version(RUNTIME_GET_VERSION, "hipRuntimeGetVersion");
  }

  /**
   * The driver's version.
   *
   * @return as HIP writes it
   */
  public static int driverVersion() {
    return version(DRIVER_GET_VERSION, "hipDriverGetVersion");
  }

  private static int version(MethodHandle call, String function) {
    long out = Native.slot();
    try {
      call.invoke(out);
    } catch (Throwable e) {
      throw Native.unexpected(function, e);
    }
    return Native.getInt(out);
  }

  /**
   * Takes the calling thread's last error, so that nobody else finds it.
   *
   * @return its number, or 0
   */
  public static int takeLastError() {
    try {
      return (int) GET_LAST_ERROR.invokeExact();
    } catch (Throwable e) {
      throw Native.unexpected("hipGetLastError", e);
    }
  }

  private static String errorName(int status) {
    try {
      return Native.string((long) GET_ERROR_NAME.invokeExact(status));
    } catch (Throwable e) {
      throw Native.unexpected("hipGetErrorName", e);
    }
  }

  /** What a query's status means. */
  static boolean isReady(int status, String act, long subject, String function) {
    if (status == 0) {
      return true;
    }
    if (status == NOT_READY) {
      return false;
    }
    throw FirstFailure.noted(
        DeviceException.of(
            act + "0x" + Long.toHexString(subject),
            HipDevices.currentId(),
            function,
            status,
            errorName(status)));
  }
}
