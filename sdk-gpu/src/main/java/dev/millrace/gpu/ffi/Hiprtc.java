package dev.millrace.gpu.ffi;

import dev.millrace.error.LibraryMissingException;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/** The compiler of HIP sources. */
public final class Hiprtc {
  static final NativeLibrary LIBRARY =
      NativeLibrary.open("hiprtc", List.of(8, 7, 6, 5), Hiprtc::statusName);

  private static final MethodHandle GET_ERROR_STRING =
      LIBRARY.plain("const char* hiprtcGetErrorString(hiprtcResult result)");
  private static final MethodHandle VERSION =
      LIBRARY.check(
          "ask for the version of hipRTC", "hiprtcResult hiprtcVersion(int* major, int* minor)");
  private static final MethodHandle CREATE_PROGRAM =
      LIBRARY.check(
          "give a source to hipRTC",
          "hiprtcResult hiprtcCreateProgram(hiprtcProgram* prog, const char* src, const char* name, int numHeaders, const char** headers, const char** includeNames)");
  private static final MethodHandle COMPILE_PROGRAM =
      LIBRARY.plain(
          "hiprtcResult hiprtcCompileProgram(hiprtcProgram prog, int numOptions, const char** options)");
  private static final MethodHandle DESTROY_PROGRAM =
      LIBRARY.check(
          "take a source back from hipRTC",
          "hiprtcResult hiprtcDestroyProgram(hiprtcProgram* prog)");
  private static final MethodHandle ADD_NAME_EXPRESSION =
      LIBRARY.check(
          "ask for a kernel by its name in the source",
          "hiprtcResult hiprtcAddNameExpression(hiprtcProgram prog, const char* name_expression)");
  private static final MethodHandle GET_LOWERED_NAME =
      LIBRARY.check(
          "ask for the name of a kernel in the code object",
          "hiprtcResult hiprtcGetLoweredName(hiprtcProgram prog, const char* name_expression, const char** lowered_name)");
  private static final MethodHandle GET_PROGRAM_LOG_SIZE =
      LIBRARY.check(
          "ask for the size of the compiler's log",
          "hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram prog, size_t* logSizeRet)");
  private static final MethodHandle GET_PROGRAM_LOG =
      LIBRARY.check(
          "ask for the compiler's log",
          "hiprtcResult hiprtcGetProgramLog(hiprtcProgram prog, char* log)");
  private static final MethodHandle GET_CODE_SIZE =
      LIBRARY.check(
          "ask for the size of a code object",
          "hiprtcResult hiprtcGetCodeSize(hiprtcProgram prog, size_t* codeSizeRet)");
  private static final MethodHandle GET_CODE =
      LIBRARY.check(
          "ask for a code object", "hiprtcResult hiprtcGetCode(hiprtcProgram prog, char* code)");

  private Hiprtc() {}

  /**
   * Why the library is not there.
   *
   * @return the reason, or empty
   */
  public static Optional<LibraryMissingException> missing() {
    return LIBRARY.missing();
  }

  /**
   * The compiler's version.
   *
   * @return major and minor
   */
  public static int[] version() {
    long slot = Native.slot();
    try {
      VERSION.invokeExact(slot, slot + Integer.BYTES);
    } catch (Throwable e) {
      throw Native.unexpected("hiprtcVersion", e);
    }
    return new int[] {Native.getInt(slot), Native.getInt(slot + Integer.BYTES)};
  }

  /**
   * Hands a source over.
   *
   * @param src address of its text
   * @param name address of what messages call it
   * @param numHeaders how many headers it may include
   * @param headers address of as many addresses of their texts
   * @param includeNames address of as many addresses of their names
   * @return the program
   */
  public static long createProgram(
      long src, long name, int numHeaders, long headers, long includeNames) {
    long out = Native.slot();
    try {
      CREATE_PROGRAM.invokeExact(out, src, name, numHeaders, headers, includeNames);
      return Native.getLong(out);
    } catch (Throwable e) {
      throw Native.unexpected("hiprtcCreateProgram", e);
    }
  }

  /**
   * Compiles. What went wrong stands in the log, so that the status is the caller's to read.
   *
   * @param prog the program
   * @param numOptions how many options
   * @param options address of as many addresses of texts
   * @return the status, 0 for success
   */
  public static int compileProgram(long prog, int numOptions, long options) {
    try {
      return (int) COMPILE_PROGRAM.invokeExact(prog, numOptions, options);
    } catch (Throwable e) {
      throw Native.unexpected("hiprtcCompileProgram", e);
    }
  }

  /**
   * Gives a program back.
   *
   * @param prog the program
   */
  public static void destroyProgram(long prog) {
    long slot = Native.slot();
    Native.putLong(slot, prog);
    try {
      DESTROY_PROGRAM.invokeExact(slot);
    } catch (Throwable e) {
      throw Native.unexpected("hiprtcDestroyProgram", e);
    }
  }

  /**
   * Asks, before compilation, for a kernel by its name in the source.
   *
   * @param prog the program
   * @param name_expression address of the name, for example of {@code scale<float>}
   */
  public static void addNameExpression(long prog, long name_expression) {
    try {
      ADD_NAME_EXPRESSION.invokeExact(prog, name_expression);
    } catch (Throwable e) {
      throw Native.unexpected("hiprtcAddNameExpression", e);
    }
  }

  /**
   * The name that a kernel has in the code object.
   *
   * @param prog the compiled program
   * @param name_expression address of what {@link #addNameExpression} was given
   * @return the name
   */
  public static String getLoweredName(long prog, long name_expression) {
    long out = Native.slot();
    try {
      GET_LOWERED_NAME.invokeExact(prog, name_expression, out);
      return Native.string(Native.getLong(out));
    } catch (Throwable e) {
      throw Native.unexpected("hiprtcGetLoweredName", e);
    }
  }

  /**
   * The size of the log.
   *
   * @param prog the compiled program
   * @return bytes, with the zero at its end
   */
  public static long getProgramLogSize(long prog) {
    long out = Native.slot();
    try {
      GET_PROGRAM_LOG_SIZE.invokeExact(prog, out);
      return Native.getLong(out);
    } catch (Throwable e) {
      throw Native.unexpected("hiprtcGetProgramLogSize", e);
    }
  }

  /**
   * The log.
   *
   * @param prog the compiled program
   * @param log address of room for it
   */
  public static void getProgramLog(long prog, long log) {
    try {
      GET_PROGRAM_LOG.invokeExact(prog, log);
    } catch (Throwable e) {
      throw Native.unexpected("hiprtcGetProgramLog", e);
    }
  }

  /**
   * The size of the code object.
   *
   * @param prog the compiled program
   * @return bytes
   */
  public static long getCodeSize(long prog) {
    long out = Native.slot();
    try {
      GET_CODE_SIZE.invokeExact(prog, out);
      return Native.getLong(out);
    } catch (Throwable e) {
      throw Native.unexpected("hiprtcGetCodeSize", e);
    }
  }

  /**
   * The code object.
   *
   * @param prog the compiled program
   * @param code address of room for it
   */
  public static void getCode(long prog, long code) {
    try {
      GET_CODE.invokeExact(prog, code);
    } catch (Throwable e) {
      throw Native.unexpected("hiprtcGetCode", e);
    }
  }

  /**
   * The name of a status.
   *
   * @param status what a function returned
   * @return its name
   */
  public static String statusName(int status) {
    try {
      return Native.string((long) GET_ERROR_STRING.invokeExact(status));
    } catch (Throwable e) {
      throw Native.unexpected("hiprtcGetErrorString", e);
    }
  }
}
