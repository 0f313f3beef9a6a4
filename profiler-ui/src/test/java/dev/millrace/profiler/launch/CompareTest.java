package dev.millrace.profiler.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.millrace.profiler.analysis.Label;
import dev.millrace.profiler.analysis.Parts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The main job on a small real model: PP-OCR's classifier of a text's direction. */
final class CompareTest {
  private static final String CLASSIFIER = "ch_ppocr_mobile_v2.0_cls_infer.onnx";

  @TempDir private Path folder;

  @Test
  void comparesThreeArmsOfAModel() throws IOException {
    CommandLineRun run =
        compare("--clients", "2", "--iterations", "2", "--rounds", "3", "--shape", "x=1,3,48,192");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out())
        .containsPattern("fork/join +external, 1 lane +external, 2 lanes")
        .contains("1 thread a run and no spinning", "{x=[1, 3, 48, 192]}")
        .contains("Only 3 rounds: ", "What the stream gains: ", "What the lanes gain: ");
    assertThat(run.err()).contains("measuring rounds 3/3");
    assertPartsAddUp(3);
  }

  @Test
  void oneClientHasNoLanesToGainFrom() throws IOException {
    CommandLineRun run = compare("--clients", "1", "--iterations", "1", "--rounds", "1", "--quiet");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("external, 1 lane").doesNotContain("What the lanes gain");
    assertPartsAddUp(2);
  }

  @Test
  void workMovesToTheProgramsOwnStreamOnlyInForkJoin() throws IOException {
    compare("--clients", "2", "--iterations", "3", "--rounds", "1");
    for (Parts turn : turns("fork-join")) {
      assertThat(turn.ns(Label.WORK_ELSEWHERE)).isPositive();
    }
    for (String arm : List.of("external-1-lane", "external-2-lanes")) {
      for (Parts turn : turns(arm)) {
        assertThat(turn.ns(Label.WORK_ELSEWHERE)).isZero();
        assertThat(turn.ns(Label.WORK_HERE)).isPositive();
      }
    }
    for (Parts turn : turns("external-2-lanes")) {
      assertThat(turn.ns(Label.OTHERS) + turn.ns(Label.HOP)).isZero();
    }
  }

  @Test
  void refusesATraceFromWhichSomethingIsMissing() throws IOException {
    compare("--clients", "1", "--iterations", "1", "--rounds", "1");
    Path trace = folder.resolve("out/fork-join/round-001.trace.json");
    String whole = Files.readString(trace);
    Files.writeString(trace, whole.substring(0, whole.length() / 2));
    assertThatThrownBy(() -> RoundTrace.read(trace, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cannot be judged: CUT");
  }

  private CommandLineRun compare(String... options) throws IOException {
    Path model = folder.resolve(CLASSIFIER);
    try (InputStream in =
        CompareTest.class.getClassLoader().getResourceAsStream("models/" + CLASSIFIER)) {
      Files.write(model, Objects.requireNonNull(in).readAllBytes());
    }
    List<String> args =
        new ArrayList<>(
            List.of("compare", model.toString(), "--out", folder.resolve("out").toString()));
    args.addAll(List.of(options));
    return CommandLineRun.of(args.toArray(String[]::new));
  }

  private List<Parts> turns(String arm) throws IOException {
    return RoundTrace.read(folder.resolve("out").resolve(arm).resolve("round-001.trace.json"), 6)
        .round()
        .turns();
  }

  private void assertPartsAddUp(int arms) throws IOException {
    Map<String, Double> numbers = numbers(folder.resolve("out/summary.json"));
    for (int arm = 0; arm < arms; arm++) {
      String prefix = "/arms/" + arm + "/";
      double sum =
          numbers.entrySet().stream()
              .filter(it -> it.getKey().startsWith(prefix + "meanPartsNs/"))
              .mapToDouble(Map.Entry::getValue)
              .sum();
      assertThat(sum).isPositive();
      assertThat(numbers.get(prefix + "meanResponseNs")).isCloseTo(sum, within(1e-3));
    }
    assertThat(numbers).doesNotContainKey("/arms/" + arms + "/meanResponseNs");
  }

  /** The numbers of a JSON file by their path. */
  private static Map<String, Double> numbers(Path file) throws IOException {
    Map<String, Double> numbers = new HashMap<>();
    try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        if (token.isNumeric()) {
          numbers.put(json.getParsingContext().pathAsPointer().toString(), json.getDoubleValue());
        }
      }
    }
    return numbers;
  }
}
