package dev.millrace.gpu.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.gpu.Gpu;
import dev.millrace.gpu.testing.Command;
import dev.millrace.gpu.testing.HipOnCpu;
import dev.millrace.gpu.testing.NeedsRealLibraries;
import dev.millrace.gpu.testing.RealLibraries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Finding and loading AMD's libraries. Each case has a JVM of its own, as nothing is unloaded. */
@NeedsRealLibraries
@DisplayName("AMD's libraries")
final class RealLoadingTest {
  private static final String HERE = System.getProperty("millrace.rocm", "");

  @AfterEach
  void forgetFaults() {
    HipOnCpu.reset();
  }

  private static Map<String, String> answers(List<String> options, String... questions) {
    Command probe = Command.run(RealLibraries.java(options, LoadingProbe.class, questions));
    assertThat(probe.exit()).as(probe.err()).isZero();
    Map<String, String> answers = new LinkedHashMap<>();
    probe
        .out()
        .lines()
        .map(line -> line.split("=", 2))
        .forEach(line -> answers.put(line[0], line[1]));
    return answers;
  }

  private static List<String> files(Map<String, String> answers) {
    return List.of(Objects.requireNonNull(answers.get("files")).split(", "));
  }

  private static int defined(String header, String macro) throws IOException {
    Matcher line =
        Pattern.compile("#define\\s+" + macro + "\\s+(\\d+)")
            .matcher(Files.readString(RealLibraries.headers().resolve(header)));
    assertThat(line.find()).as(macro).isTrue();
    return Integer.parseInt(line.group(1));
  }

  @Test
  void areFoundByTheSystemsLoaderAndSayTheVersionsOfTheirHeaders() throws IOException {
    Map<String, String> found =
        answers(List.of(), "hip", "hiprtc", "rocblas", "miopen", "hipblas", "files");
    String hip = "hip/hip_version.h";
    int major = defined(hip, "HIP_VERSION_MAJOR");
    int minor = defined(hip, "HIP_VERSION_MINOR");
    int patch = defined(hip, "HIP_VERSION_PATCH");
    assertThat(found.get("hip"))
        .isEqualTo(String.valueOf(major * 10_000_000 + minor * 100_000 + patch));
    assertThat(found.get("rocblas"))
        .startsWith(version("rocblas/internal/rocblas-version.h", "ROCBLAS"));
    assertThat(found.get("miopen")).isEqualTo(version("miopen/version.h", "MIOPEN"));
    assertThat(found.get("hipblas")).isEqualTo("there");
    assertThat(files(found)).hasSize(5);
  }

  private static String version(String header, String library) throws IOException {
    return defined(header, library + "_VERSION_MAJOR")
        + "."
        + defined(header, library + "_VERSION_MINOR")
        + "."
        + defined(header, library + "_VERSION_PATCH");
  }

  /** A HIP that another library brought along would be another one than the chosen folder's. */
  @ParameterizedTest
  @ValueSource(strings = {"hip", "hiprtc", "rocblas", "miopen", "hipblas"})
  void bringNoOtherHipThanTheChosenFoldersWhicheverIsAskedFirst(String first) throws IOException {
    List<String> files = files(answers(List.of("-Dmillrace.rocm=" + HERE), first, "hip", "files"));
    assertThat(files)
        .filteredOn(file -> file.contains("amdhip64"))
        .singleElement()
        .asString()
        .contains(Path.of(HERE, "libamdhip64.so.6").toRealPath().toString());
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 101})
  void sayThatThereIsNoDeviceInOneSentenceWhicheverCodeHipAnswers(int code) {
    Map<String, String> real = answers(List.of(), "gpus");
    HipOnCpu.fail("hipGetDeviceCount", 1, code);
    String why = Gpu.whyAbsent().orElse("");
    assertThat(why).contains("shows no GPU").contains("/dev/kfd");
    assertThat(real.get("gpus")).isEqualTo("[] " + why);
  }
}
