package dev.millrace.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.gpu.kernel.KernelParameter.Kind;
import dev.millrace.testing.Seeds;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * On code objects that hipRTC 6.4.3 made of {@code parameters.hip}, with the kernel named {@code
 * scale<float>}.
 */
final class CodeObjectTest {
  private static final int DAMAGED_FILES = 3_000;

  private static byte[] bytes(String architecture) throws IOException {
    String name = "parameters." + architecture + ".hsaco";
    try (InputStream in = CodeObjectTest.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gfx90a", "gfx942", "gfx1100", "gfx1201"})
  void describesTheKernelsThatHipRtcCompiled(String architecture) throws IOException {
    CodeObject code = CodeObject.of(bytes(architecture));
    assertThat(code.kernels())
        .extracting(KernelDescription::name)
        .containsExactlyInAnyOrder("everyKind", "none", "shared", "_Z5scaleIfEvPT_S0_i");
    KernelDescription every = code.kernel("everyKind").orElseThrow();
    assertThat(every.symbol()).isEqualTo("everyKind.kd");
    assertThat(every.parameters())
        .containsExactly(
            new KernelParameter(0, 8, Kind.POINTER),
            new KernelParameter(8, 8, Kind.POINTER),
            new KernelParameter(16, 1, Kind.VALUE),
            new KernelParameter(18, 2, Kind.VALUE),
            new KernelParameter(20, 4, Kind.VALUE),
            new KernelParameter(24, 8, Kind.VALUE),
            new KernelParameter(32, 16, Kind.VALUE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gfx90a", "gfx942", "gfx1100", "gfx1201"})
  void leavesOutWhatTheRuntimeAddsAndReadsTheLimits(String architecture) throws IOException {
    CodeObject code = CodeObject.of(bytes(architecture));
    KernelDescription none = code.kernel("none").orElseThrow();
    assertThat(none.parameters()).isEmpty();
    KernelDescription shared = code.kernel("shared").orElseThrow();
    assertThat(shared.sharedBytes()).isEqualTo(256);
    assertThat(shared.maxThreads()).isEqualTo(256);
    KernelDescription scale = code.kernel("_Z5scaleIfEvPT_S0_i").orElseThrow();
    assertThat(scale.parameters()).hasSize(3);
    assertThat(scale.argumentBytes()).isGreaterThan(20);
  }

  @Test
  void damageIsRefusedOrHarmlessNeverAnythingElse(TestInfo info) throws IOException {
    List<byte[]> files = List.of(bytes("gfx942"), bytes("gfx1100"));
    Seeds.of(info)
        .forEach(
            DAMAGED_FILES,
            random -> {
              byte[] file = files.get(random.nextInt(files.size())).clone();
              for (int i = random.nextInt(1, 40); i > 0; i--) {
                // Most of the file is code; what is read lies in its first part.
                int at = random.nextInt(random.nextBoolean() ? 0x800 : file.length);
                file[at] = (byte) random.nextInt();
              }
              readOrRefuse(file);
              readOrRefuse(Arrays.copyOf(file, random.nextInt(file.length)));
            });
  }

  private static void readOrRefuse(byte[] file) {
    try {
      assertThat(CodeObject.of(file).kernels()).doesNotContainNull();
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageStartingWith("read code object bytes=" + file.length);
    }
  }

  @Test
  void everyShorterFileIsRefused() throws IOException {
    byte[] whole = bytes("gfx942");
    int noteEnds = 0x800;
    for (int length = 0; length < noteEnds; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> CodeObject.of(cut)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aFileThatIsNoElfFileIsRefusedByItsKind() {
    assertThatThrownBy(() -> CodeObject.of(new byte[17]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("read code object bytes=17: no 64-bit little-endian ELF file");
  }
}
