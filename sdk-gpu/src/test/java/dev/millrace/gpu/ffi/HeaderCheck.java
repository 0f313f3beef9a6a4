package dev.millrace.gpu.ffi;

import dev.millrace.gpu.testing.Command;
import dev.millrace.gpu.testing.RealLibraries;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A C++ source that compiles only if what we believe agrees with AMD's headers. */
final class HeaderCheck {
  /** How a value travels: in which kind of register, and how many bytes of it count. */
  private static final String CARRIER =
      """
      #include <type_traits>
      template <typename T> constexpr bool travelsAs(bool floating, unsigned size) {
        return std::is_scalar_v<T> && std::is_floating_point_v<T> == floating && sizeof(T) == size;
      }
      """;

  private static final String REAL_HEADERS =
      """
      #include <dlfcn.h>
      #include <cstddef>
      #include <hip/hip_runtime_api.h>
      #include <hip/hip_ext.h>
      #include <hip/hiprtc.h>
      #include <rocblas/rocblas.h>
      #include <hipblas/hipblas.h>
      #include <miopen/miopen.h>
      """;

  private final StringBuilder source = new StringBuilder();
  private final StringBuilder before = new StringBuilder();

  /** Comes before AMD's headers, where their macros are not known yet. */
  HeaderCheck before(String text) {
    before.append(text).append('\n');
    return this;
  }

  HeaderCheck add(String text) {
    source.append(text).append('\n');
    return this;
  }

  /**
   * A C function is declared twice, by the header and by us: in C++ the two must be the same. That
   * it is declared by the header at all is asked first.
   */
  HeaderCheck function(Prototype prototype) {
    add("namespace declared { using ::" + prototype.name() + "; }");
    add("extern \"C\" { " + prototype.text() + "; }");
    prototype.types().filter(type -> !type.equals("void")).forEach(this::travels);
    return this;
  }

  private void travels(String type) {
    MemoryLayout layout = Prototype.layoutOf(type);
    boolean floating =
        layout instanceof ValueLayout.OfFloat || layout instanceof ValueLayout.OfDouble;
    add(
        "static_assert(travelsAs<%s>(%s, %d), \"%s as Java passes it\");"
            .formatted(type, floating, layout.byteSize(), type));
  }

  HeaderCheck equal(String name, long value, String expression) {
    String ours = value + (value == (int) value ? "" : "LL");
    return add("static_assert((long long)(%s) == %s, \"%s\");".formatted(expression, ours, name));
  }

  String text() {
    return CARRIER + before + REAL_HEADERS + source;
  }

  /** Compiles; what the compiler says is in {@link Command#err}. */
  Command compile() {
    try {
      Path file = Files.createTempFile("millrace-headers", ".cpp");
      try {
        Files.writeString(file, text());
        return Command.run(
            List.of(
                "g++",
                "-std=c++20",
                "-fsyntax-only",
                "-w",
                "-D__HIP_PLATFORM_AMD__",
                "-I" + RealLibraries.headers(),
                file.toString()));
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
