package dev.millrace.gpu.ffi;

import dev.millrace.error.LibraryMissingException;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/** Functions of hipBLAS that handles have. */
public final class Hipblas {
  static final NativeLibrary LIBRARY =
      NativeLibrary.openAbove(
          Hip.LIBRARY, "hipblas", List.of(4, 3, 2), status -> "hipblasStatus " + status);

  private static final MethodHandle CREATE =
      LIBRARY.check(
          "make a hipBLAS handle", "hipblasStatus_t hipblasCreate(hipblasHandle_t* handle)");
  private static final MethodHandle DESTROY =
      LIBRARY.check(
          "destroy a hipBLAS handle", "hipblasStatus_t hipblasDestroy(hipblasHandle_t handle)");
  private static final MethodHandle SET_STREAM =
      LIBRARY.check(
          "point a hipBLAS handle at a stream",
          "hipblasStatus_t hipblasSetStream(hipblasHandle_t handle, hipStream_t streamId)");
  private static final MethodHandle GET_STREAM =
      LIBRARY.check(
          "ask a hipBLAS handle for its stream",
          "hipblasStatus_t hipblasGetStream(hipblasHandle_t handle, hipStream_t* streamId)");

  private Hipblas() {}

  /**
   * Makes a handle on the current device.
   *
   * @return the handle
   */
  public static long create() {
    long out = Native.slot();
    try {
      CREATE.invokeExact(out);
      return Native.getLong(out);
    } catch (Throwable e) {
      throw Native.unexpected("hipblasCreate", e);
    }
  }

  /**
   * Destroys a handle.
   *
   * @param handle the handle
   */
  public static void destroy(long handle) {
    try {
      DESTROY.invokeExact(handle);
    } catch (Throwable e) {
      throw Native.unexpected("hipblasDestroy", e);
    }
  }

  /**
   * Points a handle at a stream.
   *
   * @param handle the handle
   * @param streamId the stream
   */
  public static void setStream(long handle, long streamId) {
    try {
      SET_STREAM.invokeExact(handle, streamId);
    } catch (Throwable e) {
      throw Native.unexpected("hipblasSetStream", e);
    }
  }

  /**
   * Where a handle is.
   *
   * @param handle the handle
   * @return its stream
   */
  public static long getStream(long handle) {
    long out = Native.slot();
    try {
      GET_STREAM.invokeExact(handle, out);
      return Native.getLong(out);
    } catch (Throwable e) {
      throw Native.unexpected("hipblasGetStream", e);
    }
  }

  /**
   * Why the library is not there.
   *
   * @return the reason, or empty
   */
  public static Optional<LibraryMissingException> missing() {
    return LIBRARY.missing();
  }
}
