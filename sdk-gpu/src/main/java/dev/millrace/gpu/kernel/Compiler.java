package dev.millrace.gpu.kernel;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.gpu.ffi.Hip;
import dev.millrace.gpu.ffi.Hiprtc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Compiles sources with hipRTC. It needs no device. */
final class Compiler {
  private Compiler() {}

  /** What of the compiler decides the code it makes. */
  static String version() {
    int[] version = Hiprtc.version();
    String compiler = "hiprtc=" + version[0] + "." + version[1];
    return Hip.missing().isPresent() ? compiler : compiler + " hip=" + Hip.runtimeVersion();
  }

  static List<String> options(KernelSource source, String architecture) {
    List<String> options = new ArrayList<>(source.options());
    options.add("--offload-arch=" + architecture);
    return options;
  }

  /**
   * Compiles.
   *
   * @param architecture as HIP writes it, for example {@code gfx942:sramecc+:xnack-}
   */
  static CompiledSource compile(KernelSource source, String architecture) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment headers = texts(arena, source.headers().values());
      MemorySegment names = texts(arena, source.headers().keySet());
      long program =
          Hiprtc.createProgram(
              arena.allocateFrom(source.text()).address(),
              arena.allocateFrom(source.name()).address(),
              source.headers().size(),
              headers.address(),
              names.address());
      try {
        return compile(source, options(source, architecture), program, arena);
      } finally {
        Hiprtc.destroyProgram(program);
      }
    }
  }

  private static CompiledSource compile(
      KernelSource source, List<String> options, long program, Arena arena) {
    Map<String, MemorySegment> expressions = new LinkedHashMap<>();
    for (String kernel : source.kernels()) {
      MemorySegment expression = arena.allocateFrom(kernel);
      Hiprtc.addNameExpression(program, expression.address());
      expressions.put(kernel, expression);
    }
    MemorySegment given = texts(arena, options);
    int status = Hiprtc.compileProgram(program, options.size(), given.address());
    if (status != 0) {
      throw CompileError.of(source, Hiprtc.statusName(status), log(program, arena));
    }
    Map<String, String> lowered = new LinkedHashMap<>();
    expressions.forEach(
        (name, text) -> lowered.put(name, Hiprtc.getLoweredName(program, text.address())));
    return new CompiledSource(code(program, arena), lowered);
  }

  private static byte[] code(long program, Arena arena) {
    MemorySegment code = arena.allocate(Hiprtc.getCodeSize(program));
    Hiprtc.getCode(program, code.address());
    return code.toArray(JAVA_BYTE);
  }

  private static String log(long program, Arena arena) {
    long bytes = Hiprtc.getProgramLogSize(program);
    MemorySegment log =
        arena.allocate(bytes + 1); // one more, so that a text without an end has one
    Hiprtc.getProgramLog(program, log.address());
    return log.getString(0);
  }

  private static MemorySegment texts(Arena arena, Collection<String> texts) {
    MemorySegment addresses = arena.allocate(ADDRESS, Math.max(1, texts.size()));
    long at = 0;
    for (String text : texts) {
      addresses.set(ADDRESS, at, arena.allocateFrom(text));
      at += ADDRESS.byteSize();
    }
    return addresses;
  }
}
