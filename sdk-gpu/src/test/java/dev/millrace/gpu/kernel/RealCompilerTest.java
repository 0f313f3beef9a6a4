package dev.millrace.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.ModelException;
import dev.millrace.gpu.testing.Command;
import dev.millrace.gpu.testing.NeedsRealLibraries;
import dev.millrace.gpu.testing.RealLibraries;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kernel source of this module, compiled by AMD's hipRTC, which needs no GPU for it. */
@NeedsRealLibraries
@DisplayName("AMD's hipRTC")
final class RealCompilerTest {
  private static final List<String> ARCHITECTURES =
      List.of("gfx90a", "gfx942", "gfx1100", "gfx1201");

  static Stream<Arguments> sourcesAndArchitectures() {
    return KernelSources.all().stream()
        .flatMap(source -> ARCHITECTURES.stream().map(one -> Arguments.of(source, one)));
  }

  @ParameterizedTest(name = "{0} for {1}")
  @MethodSource("sourcesAndArchitectures")
  void compilesEachSourceForEachArchitectureAndItsKernelsCanBeRead(
      KernelSource source, String architecture) {
    List<KernelDescription> kernels = KernelSources.compile(source, architecture);
    assertThat(kernels).isNotEmpty();
    for (KernelDescription kernel : kernels) {
      assertThat(kernel.symbol()).isEqualTo(kernel.name() + ".kd");
      assertThat(kernel.maxThreads()).isPositive();
    }
  }

  /** So a launch that is checked over the stand-in is one that a GPU's code object takes. */
  @Test
  void laysArgumentsOutForEachArchitectureAsTheStandInDoes() {
    Command standIn =
        Command.run(
            RealLibraries.java(
                List.of(
                    "-Dmillrace.rocm=" + System.getProperty("millrace.standIns"),
                    "-Dbasedir=" + System.getProperty("basedir")),
                KernelSources.class,
                "gfx942"));
    assertThat(standIn.exit()).as(standIn.err()).isZero();
    List<String> layouts = standIn.out().lines().toList();
    assertThat(layouts).hasSizeGreaterThan(10);
    for (String architecture : ARCHITECTURES) {
      assertThat(KernelSources.layouts(architecture)).as(architecture).isEqualTo(layouts);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gfx90a", "gfx942", "gfx1100", "gfx1201"})
  void describesTheParametersThatOurReaderIsTestedWith(String architecture) throws IOException {
    KernelSource source = KernelSources.named(KernelSources.PARAMETERS);
    String kept = "parameters." + architecture + ".hsaco";
    try (InputStream in = RealCompilerTest.class.getResourceAsStream(kept)) {
      byte[] bytes = Objects.requireNonNull(in, kept).readAllBytes();
      assertThat(KernelSources.compile(source, architecture))
          .isEqualTo(CodeObject.of(bytes).kernels());
    }
  }

  @Test
  void saysWhatIsWrongWithASourceAndWhere() {
    String text = "extern \"C\" __global__ void f(float* x) {\n  x[0] = y;\n}\n";
    assertThatThrownBy(() -> Compiler.compile(KernelSource.of("wrong.hip", text), "gfx942"))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("wrong.hip:2:10: error: use of undeclared identifier 'y'")
        .hasMessageContaining("2 | x[0] = y;");
  }
}
