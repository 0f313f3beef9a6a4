package dev.millrace.gpu.ffi;

import dev.millrace.error.LibraryMissingException;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/** Functions of MIOpen that handles have. */
public final class Miopen {
  static final NativeLibrary LIBRARY =
      NativeLibrary.openAbove(Hip.LIBRARY, "MIOpen", List.of(1), Miopen::statusName);

  private static final MethodHandle GET_ERROR_STRING =
      LIBRARY.plain("const char* miopenGetErrorString(miopenStatus_t error)");
  private static final MethodHandle GET_VERSION =
      LIBRARY.check(
          "ask for the version of MIOpen",
          "miopenStatus_t miopenGetVersion(size_t* major, size_t* minor, size_t* patch)");
  private static final MethodHandle CREATE_WITH_STREAM =
      LIBRARY.check(
          "make a MIOpen handle",
          "miopenStatus_t miopenCreateWithStream(miopenHandle_t* handle, miopenAcceleratorQueue_t stream)");
  private static final MethodHandle DESTROY =
      LIBRARY.check(
          "destroy a MIOpen handle", "miopenStatus_t miopenDestroy(miopenHandle_t handle)");
  private static final MethodHandle SET_STREAM =
      LIBRARY.check(
          "point a MIOpen handle at a stream",
          "miopenStatus_t miopenSetStream(miopenHandle_t handle, miopenAcceleratorQueue_t streamID)");
  private static final MethodHandle GET_STREAM =
      LIBRARY.check(
          "ask a MIOpen handle for its stream",
          "miopenStatus_t miopenGetStream(miopenHandle_t handle, miopenAcceleratorQueue_t* streamID)");

  private Miopen() {}

  /**
   * Makes a handle that looks at a stream.
   *
   * @param stream the stream
   * @return the handle
   */
  public static long createWithStream(long stream) {
    long out = Native.slot();
    try {
      CREATE_WITH_STREAM.invokeExact(out, stream);
      return Native.getLong(out);
    } catch (Throwable e) {
      throw Native.unexpected("miopenCreateWithStream", e);
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
      throw Native.unexpected("miopenDestroy", e);
    }
  }

  /**
   * Points a handle at a stream. It costs fourteen calls, also where nothing changes.
   *
   * @param handle the handle
   * @param streamID the stream
   */
  public static void setStream(long handle, long streamID) {
    try {
      SET_STREAM.invokeExact(handle, streamID);
    } catch (Throwable e) {
      throw Native.unexpected("miopenSetStream", e);
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
      throw Native.unexpected("miopenGetStream", e);
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

  /**
   * The library's version.
   *
   * @return for example {@code 3.4.0}
   */
  public static String version() {
    long slot = Native.slot();
    try {
      GET_VERSION.invokeExact(slot, slot + 8, slot + 16);
    } catch (Throwable e) {
      throw Native.unexpected("miopenGetVersion", e);
    }
    return Native.getLong(slot) + "." + Native.getLong(slot + 8) + "." + Native.getLong(slot + 16);
  }

  private static String statusName(int status) {
    try {
      return Native.string((long) GET_ERROR_STRING.invokeExact(status));
    } catch (Throwable e) {
      throw Native.unexpected("miopenGetErrorString", e);
    }
  }
}
