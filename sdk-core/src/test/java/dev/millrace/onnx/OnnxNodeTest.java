package dev.millrace.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnxruntime.OrtException;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The node tests of ONNX 1.20, each run as a program on a stream of the caller. What does not pass
 * is listed with its reason in {@code node-tests-not-passing.tsv}: a change in either direction
 * fails, and the list as it would have to be is in {@code target}.
 */
final class OnnxNodeTest {
  private static final String ARCHIVE = "/onnx/node-tests-v1.20.0.tar.xz";
  private static final String NOT_PASSING = "/onnx/node-tests-not-passing.tsv";
  private static final int CASES = 1653;

  private static List<OnnxCase> cases = List.of();

  @BeforeAll
  static void readCases() throws IOException {
    cases = OnnxArchive.read(ARCHIVE).nodeTests();
  }

  @Test
  void givesTheOutputsThatOnnxExpects() throws Exception {
    Map<String, Verdict> verdicts = runAll();
    print(verdicts);
    Files.write(Path.of("target", "node-tests-not-passing.tsv"), notPassing(verdicts));

    assertThat(verdicts).hasSize(CASES);
    assertThat(difference(notPassing(verdicts), expectedNotPassing()))
        .as(
            "what does not pass and is not listed; the new list is sdk-core/target/node-tests-not-passing.tsv")
        .isEmpty();
    assertThat(difference(expectedNotPassing(), notPassing(verdicts)))
        .as("what is listed as not passing and is not so now")
        .isEmpty();
  }

  /** So what differs from ONNX's expectation is ONNX Runtime's own doing. */
  @Test
  void givesWhatOnnxRuntimeAloneGivesWhereOnnxExpectsOtherwise() throws Exception {
    Set<String> differing = casesListedAs("differs");
    assertThat(differing).isNotEmpty();
    try (Device host = Device.open("host");
        DeviceStream stream = host.newStream()) {
      CaseRunner runner = new CaseRunner(host, stream);
      for (OnnxCase onnxCase : cases) {
        if (differing.contains(onnxCase.name())) {
          assertThat(runner.run(onnxCase.model(), specs -> onnxCase.inputs()))
              .as(onnxCase.name())
              .zipSatisfy(
                  BareRuntime.run(onnxCase),
                  (ours, bare) -> assertThat(ours.elements().mismatch(bare)).isEqualTo(-1));
        }
      }
    }
  }

  @Test
  void failsAsOnnxRuntimeAloneDoes() throws Exception {
    Set<String> failing = casesListedAs("fails to run");
    for (OnnxCase onnxCase : cases) {
      if (failing.contains(onnxCase.name())) {
        assertThatThrownBy(() -> BareRuntime.run(onnxCase))
            .as(onnxCase.name())
            .isInstanceOf(OrtException.class);
      }
    }
  }

  private static Set<String> casesListedAs(String group) throws IOException {
    return expectedNotPassing().stream()
        .map(line -> line.split("\t"))
        .filter(fields -> fields[1].equals(group))
        .map(fields -> fields[0])
        .collect(Collectors.toSet());
  }

  private static Map<String, Verdict> runAll() throws IOException, InterruptedException {
    Map<String, Verdict> verdicts = new TreeMap<>();
    try (Device host = Device.open("host");
        DeviceStream stream = host.newStream()) {
      CaseRunner runner = new CaseRunner(host, stream);
      for (OnnxCase onnxCase : cases) {
        verdicts.put(onnxCase.name(), runner.verdict(onnxCase));
      }
    }
    return verdicts;
  }

  private static void print(Map<String, Verdict> verdicts) {
    Map<String, Long> groups =
        verdicts.values().stream()
            .collect(Collectors.groupingBy(Verdict::group, TreeMap::new, Collectors.counting()));
    System.out.println("ONNX node tests on host: " + verdicts.size());
    groups.forEach((group, count) -> System.out.printf("%6d %s%n", count, group));
  }

  private static List<String> expectedNotPassing() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(OnnxNodeTest.class.getResourceAsStream(NOT_PASSING), NOT_PASSING)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    }
  }

  private static List<String> notPassing(Map<String, Verdict> verdicts) {
    return verdicts.entrySet().stream()
        .filter(entry -> !entry.getValue().passes())
        .map(entry -> entry.getKey() + "\t" + entry.getValue())
        .toList();
  }

  private static List<String> difference(List<String> from, List<String> without) {
    Set<String> rest = new LinkedHashSet<>(from);
    without.forEach(rest::remove);
    return List.copyOf(rest);
  }
}
