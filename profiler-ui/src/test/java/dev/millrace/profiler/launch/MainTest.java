package dev.millrace.profiler.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MainTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                       | say what to do: compare or doctor",
        "compar                   | Unmatched argument",
        "doctor --bogus           | Unknown option: '--bogus' (see millrace doctor --help)",
        "compare --clients 0      | --clients=0: expected 1 to 256",
        "compare --clients x      | Invalid value for option '--clients': 'x' is not an int",
        "compare --iterations -3  | --iterations=-3: expected 1 to 1000000",
        "compare --rounds 1.5     | Invalid value for option '--rounds'",
        "compare --shape x=1,,3   | --shape x=1,,3: expected numbers from 1",
        "compare --shape x=0      | --shape x=0: expected numbers from 1",
        "compare --shape x        | Value for option option '--shape'",
        "compare none.onnx        | MODEL.onnx=none.onnx: expected a file that can be read, it does",
        "compare .                | MODEL.onnx=.: expected a file that can be read, it is a folder",
        "compare --out pom.xml    | --out=pom.xml cannot be made a folder to write to",
        "compare pom.xml          | load model=pom.xml: it is not an ONNX model"
      })
  void answersMisuseWithOneLineAndStatusTwo(String line, String message) {
    CommandLineRun run = CommandLineRun.of(line.isEmpty() ? new String[0] : line.split(" "));
    assertThat(run.err()).startsWith("millrace: " + message).hasLineCount(1);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void showsWhereAFailureHappenedOnlyWhenAsked() {
    CommandLineRun run = CommandLineRun.of("compare", "--debug", "pom.xml");
    assertThat(run.err())
        .contains("ModelException")
        .containsPattern("\\tat .*dev\\.millrace\\.profiler\\.launch\\.Main");
  }

  @ParameterizedTest
  @CsvSource({"--help", "compare --help", "doctor --help"})
  void helpIsAnswered(String line) {
    CommandLineRun run = CommandLineRun.of(line.split(" "));
    assertThat(run.status()).isZero();
    assertThat(run.out()).startsWith("Usage: millrace");
  }

  @Test
  void versionIsTheBuilds() {
    CommandLineRun run = CommandLineRun.of("--version");
    assertThat(run.status()).isZero();
    assertThat(run.out()).matches("(?s)millrace \\d+\\.\\d+.*Java 2[5-9].*").doesNotContain("$");
  }

  @Test
  void leavesNoFolderBehindWhenTheModelIsMissing(@TempDir Path folder) throws IOException {
    CommandLineRun.of("compare", "none.onnx", "--out", folder.resolve("out").toString());
    try (var files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }
}
