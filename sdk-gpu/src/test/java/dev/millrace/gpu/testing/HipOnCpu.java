package dev.millrace.gpu.testing;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The control interface of hip-on-cpu: which calls were made, and which shall fail. hip-on-cuda has
 * the same, but for what only a device can have that is not one.
 */
@SuppressWarnings("restricted") // it is a native library's interface
public final class HipOnCpu {
  /** The folder of ROCm's libraries, here the stand-ins. */
  static final String FOLDER = System.getProperty("millrace.rocm", "");

  private static final Path LIBRARY = Path.of(FOLDER, "libamdhip64.so.6");
  private static final String MEMORY = "hipOnCpuMemory";
  private static final int LOG_BYTES = 1 << 20;

  private static final class Functions {
    static final SymbolLookup SYMBOLS = SymbolLookup.libraryLookup(LIBRARY, Arena.global());
    static final MethodHandle RESET = find("hipOnCpuReset", FunctionDescriptor.ofVoid());
    static final MethodHandle FAIL =
        find("hipOnCpuFail", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_INT));
    static final MethodHandle CALLS =
        find("hipOnCpuCalls", FunctionDescriptor.of(JAVA_LONG, ADDRESS));
    static final MethodHandle LOG =
        find("hipOnCpuLog", FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG));
    static final MethodHandle LIVE =
        find("hipOnCpuLive", FunctionDescriptor.of(JAVA_LONG, ADDRESS));

    private Functions() {}

    static MethodHandle find(String name, FunctionDescriptor type) {
      return Linker.nativeLinker().downcallHandle(SYMBOLS.findOrThrow(name), type);
    }
  }

  /**
   * A call that was made.
   *
   * @param thread the calling thread's, as the library names it
   * @param function which
   * @param stream in hexadecimal, or {@code -}
   * @param status what it returned; -1 where it has not returned yet
   * @param caller the file name of the library that called, or {@code -} for Java
   */
  public record Call(String thread, String function, String stream, int status, String caller) {
    static Call parse(String line) {
      String[] words = line.split(" ", -1);
      int status = words[4].equals("-") ? -1 : Integer.parseInt(words[4]);
      return new Call(words[0], words[1], words[2], status, words[5]);
    }

    /** Whether a library made it, and not Java. */
    public boolean isOfALibrary() {
      return !caller.equals("-");
    }

    /** Whether it was about the null stream. */
    public boolean isOnNullStream() {
      return stream.equals("0x0") || stream.equals("0") || stream.equals("(nil)");
    }
  }

  private HipOnCpu() {}

  /** Whether the stand-in was built. */
  public static boolean isThere() {
    return !FOLDER.isEmpty() && Files.exists(LIBRARY);
  }

  /** Forgets calls, planned faults and delays. */
  public static void reset() {
    invoke(Functions.RESET);
  }

  /** Lets the n-th call of a function from now fail, on any thread; {@code *} for any function. */
  public static void fail(String function, long nth, int status) {
    try (Arena arena = Arena.ofConfined()) {
      invoke(Functions.FAIL, arena.allocateFrom(function), nth, status);
    }
  }

  /** How often a function was called since the last reset. */
  public static long calls(String function) {
    try (Arena arena = Arena.ofConfined()) {
      return (long) invoke(Functions.CALLS, arena.allocateFrom(function));
    }
  }

  /** What was not given back yet: {@code streams}, {@code events}, {@code bytes}, … */
  public static long live(String what) {
    try (Arena arena = Arena.ofConfined()) {
      return (long) invoke(Functions.LIVE, arena.allocateFrom(what));
    }
  }

  /** Whether it is hip-on-cpu itself, and not hip-on-cuda over a real GPU. */
  static boolean isOnCpu() {
    return Functions.SYMBOLS.find(MEMORY).isPresent();
  }

  /** Sets how much memory each device has; only hip-on-cpu can. */
  public static void memory(long bytes) {
    invoke(Functions.find(MEMORY, FunctionDescriptor.ofVoid(JAVA_LONG)), bytes);
  }

  /** The calls since the last reset, of all threads. */
  public static List<Call> log() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(LOG_BYTES);
      long needed = (long) invoke(Functions.LOG, text, (long) LOG_BYTES);
      if (needed > LOG_BYTES) {
        throw new AssertionError("the log has bytes=" + needed);
      }
      return text.getString(0).lines().map(Call::parse).toList();
    }
  }

  private static Object invoke(MethodHandle function, Object... arguments) {
    try {
      return function.invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
