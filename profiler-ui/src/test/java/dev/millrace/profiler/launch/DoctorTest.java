package dev.millrace.profiler.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DoctorTest {
  private static final Pattern PROPERTY =
      Pattern.compile(
          "(?:PROPERTY|LIMIT|getProperty|getBoolean|getLong|getInteger)[ =(]+\"(millrace\\.[^\"]+)\"");

  /** Samples have switches of their own, which their pages tell. */
  private static final Pattern MAIN_SOURCE =
      Pattern.compile("(sdk-\\w+|profiler-ui)/src/main/java/.*\\.java$");

  @Test
  void saysWhatIsOnThisMachine() {
    CommandLineRun run = CommandLineRun.of("doctor");
    assertThat(run.status()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains(Runtime.version().toString())
        .contains("1.29.0, execution providers [CPU")
        .contains("host:0")
        .containsPattern("/opt/rocm/lib +\\S")
        .containsPattern("-Dmillrace\\.trace +\\[off]");
  }

  @Test
  void listsEverySettingWithItsValueOrItsDefault() {
    String out = CommandLineRun.of("doctor").out();
    for (Setting setting : Setting.ALL) {
      String value = setting.value().orElse("[" + setting.fallback() + "]");
      assertThat(out).containsPattern(Pattern.quote(setting.form()) + " +" + Pattern.quote(value));
    }
  }

  @Test
  void everyPropertyThatTheSourcesReadIsASetting() throws IOException {
    assertThat(Setting.ALL).extracting(Setting::name).containsAll(propertiesInSources());
    assertThat(propertiesInSources()).contains("millrace.trace", "millrace.leaks");
  }

  private static Iterable<String> propertiesInSources() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(".."))) {
      return files
          .filter(it -> MAIN_SOURCE.matcher(it.toString()).find())
          .flatMap(DoctorTest::properties)
          .distinct()
          .toList();
    }
  }

  private static Stream<String> properties(Path source) {
    try {
      return PROPERTY
          .matcher(Files.readString(source))
          .results()
          .map((MatchResult it) -> it.group(1))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void looksForLibrariesInTheOrderOfTheSearch(@TempDir Path root) throws IOException {
    Files.createDirectories(root.resolve("opt/rocm-6.4.1/lib"));
    Path newest = Files.createDirectories(root.resolve("opt/rocm-7.2.0/lib"));
    Files.createFile(newest.resolve("libamdhip64.so.7"));
    Files.createFile(newest.resolve("libamdhip64.so.7.2.0"));
    Files.createFile(newest.resolve("libamdhip64.some"));
    GpuLibraries libraries =
        new GpuLibraries(
            root, Map.of("ROCM_PATH", "/a", "HIP_PATH", "/b", "LD_LIBRARY_PATH", ":/c"));
    assertThat(libraries.folders())
        .startsWith(
            Path.of("/a/lib"),
            Path.of("/b/lib"),
            root.resolve("opt/rocm/lib"),
            root.resolve("opt/rocm/core-*/lib"),
            newest,
            root.resolve("opt/rocm-6.4.1/lib"),
            Path.of("/c"));
    assertThat(GpuLibraries.files(newest, "libamdhip64.so"))
        .containsExactly(
            newest.resolve("libamdhip64.so.7"), newest.resolve("libamdhip64.so.7.2.0"));
    assertThat(libraries.kernelDriver()).isEqualTo("absent");
  }

  @Test
  void saysThatATemporaryFolderCannotBeUsed(@TempDir Path folder) {
    assertThat(DoctorCommand.temporaryFolder(folder)).endsWith(", can be written and executed");
    assertThat(DoctorCommand.temporaryFolder(folder.resolve("none")))
        .contains("cannot be written or executed");
  }
}
