package dev.millrace.samples.gpubench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which calls of HIP and its libraries a thread makes, as the stand-ins log them. */
@SuppressWarnings("restricted") // it is a native library's interface
final class NativeCalls {
  private static final int LOG_BYTES = 1 << 20;

  private final SymbolLookup hip;

  NativeCalls(String rocm) {
    hip = SymbolLookup.libraryLookup(Path.of(rocm, "libamdhip64.so.6"), Arena.global());
  }

  /** False over a real ROCm, which logs nothing. */
  boolean canBeSeen() {
    return hip.find("hipOnCpuLog").isPresent();
  }

  /** The functions that the calling thread called, in order. */
  List<String> of(Runnable work) {
    call(hip, "hipOnCpuReset", FunctionDescriptor.ofVoid());
    work.run();
    List<String> calls = callsOf(threadId());
    stopWatching();
    return calls;
  }

  /** Where watching costs something and can be ended, it is. */
  private void stopWatching() {
    if (hip.find("hipOnCudaWatch").isPresent()) {
      call(hip, "hipOnCudaWatch", FunctionDescriptor.ofVoid(JAVA_INT), 0);
    }
  }

  private static int threadId() {
    SymbolLookup libc = Linker.nativeLinker().defaultLookup();
    return call(libc, "gettid", FunctionDescriptor.of(JAVA_INT)) instanceof Integer id ? id : 0;
  }

  private List<String> callsOf(int thread) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(LOG_BYTES);
      MemoryLayout size = JAVA_LONG;
      call(
          hip,
          "hipOnCpuLog",
          FunctionDescriptor.of(size, ADDRESS, JAVA_LONG),
          text,
          (long) LOG_BYTES);
      List<String> functions = new ArrayList<>();
      for (String line : text.getString(0).lines().toList()) {
        String[] words = line.split(" ", -1);
        if (Integer.parseInt(words[0]) == thread) {
          functions.add(words[1]);
        }
      }
      return functions;
    }
  }

  /** The calls in words, repeated ones once with their number. */
  static String text(List<String> calls) {
    StringBuilder text = new StringBuilder();
    for (int at = 0; at < calls.size(); ) {
      int end = at;
      while (end < calls.size() && calls.get(end).equals(calls.get(at))) {
        end++;
      }
      text.append(at == 0 ? "" : ", ").append(end - at > 1 ? end - at + " × " : "");
      text.append(calls.get(at));
      at = end;
    }
    return text.toString();
  }

  private static Object call(
      SymbolLookup library, String name, FunctionDescriptor type, Object... arguments) {
    MethodHandle function = Linker.nativeLinker().downcallHandle(library.findOrThrow(name), type);
    try {
      return Optional.<Object>ofNullable(function.invokeWithArguments(arguments)).orElse("");
    } catch (Throwable e) {
      throw new IllegalStateException(name, e);
    }
  }
}
