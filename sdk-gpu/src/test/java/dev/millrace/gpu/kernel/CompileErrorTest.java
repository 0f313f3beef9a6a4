package dev.millrace.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.error.ModelException;
import org.junit.jupiter.api.Test;

final class CompileErrorTest {
  private static final KernelSource BAD =
      KernelSource.of("bad.hip", "extern \"C\" __global__ void bad(float* x) {\n  x[0] = y;\n}\n")
          .withHeader("part.h", "int first;\nint second = third;\n");

  @Test
  void quotesTheLineOfHipRtcsFirstError() {
    String log =
        """
        /tmp/comgr-a10c12/input/bad.hip:2:10: error: use of undeclared identifier 'y'
            2 |   x[0] = y;
              |          ^
        1 error generated when compiling for gfx942.
        """;
    ModelException refused = CompileError.of(BAD, "HIPRTC_ERROR_COMPILATION", log);
    assertThat(refused)
        .hasMessage(
            "load model=bad.hip: /tmp/comgr-a10c12/input/bad.hip:2:10: error: use of undeclared"
                + " identifier 'y'\n  2 | x[0] = y;");
    assertThat(refused.getCause()).isInstanceOf(CompilerLog.class).hasMessage(log);
  }

  @Test
  void quotesTheLineOfNvrtcsFirstError() {
    String log =
        """
        bad.hip(1): warning #177-D: never used
        bad.hip(2): error: identifier "y" is undefined
        """;
    assertThat(CompileError.of(BAD, "HIPRTC_ERROR_COMPILATION", log))
        .hasMessageContaining("bad.hip(2): error: identifier \"y\" is undefined\n  2 | x[0] = y;");
  }

  @Test
  void quotesTheLineOfAHeader() {
    String log =
        """
        In file included from bad.hip:1:
        /tmp/x/part.h:2:14: error: 'third' was not declared in this scope
        """;
    assertThat(CompileError.of(BAD, "HIPRTC_ERROR_COMPILATION", log))
        .hasMessageContaining("part.h:2:14: error: 'third'")
        .hasMessageEndingWith("\n  2 | int second = third;");
  }

  @Test
  void saysTheStatusWhereTheLogHasNoError() {
    assertThat(CompileError.of(BAD, "HIPRTC_ERROR_INVALID_OPTION", ""))
        .hasMessage("load model=bad.hip: HIPRTC_ERROR_INVALID_OPTION: the log is empty");
    assertThat(CompileError.of(BAD, "HIPRTC_ERROR_INVALID_OPTION", "\nno such option: -x\n"))
        .hasMessageEndingWith("HIPRTC_ERROR_INVALID_OPTION: no such option: -x");
  }

  @Test
  void aLineThatIsNotInTheSourceIsNotQuoted() {
    assertThat(CompileError.of(BAD, "X", "bad.hip:99:1: error: expected '}'\n"))
        .hasMessageEndingWith("bad.hip:99:1: error: expected '}'");
    assertThat(CompileError.of(BAD, "X", "bad.hip:99999999999:1: error: what\n"))
        .hasMessageEndingWith("error: what");
  }
}
