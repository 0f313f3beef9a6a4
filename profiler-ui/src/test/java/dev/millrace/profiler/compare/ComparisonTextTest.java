package dev.millrace.profiler.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.millrace.profiler.analysis.Label;
import dev.millrace.profiler.analysis.Parts;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ComparisonTextTest {
  private static final Comparison COMPARISON =
      Comparison.of(
          List.of(
              arm("fork/join", Label.WORK_ELSEWHERE, 1_500), arm("external", Label.WORK_HERE, 500)),
          7);

  @Test
  void tableHasAnArmAColumnAndTheResponseOnTop() {
    assertThat(
            ComparisonTable.of(COMPARISON).lines().map(it -> it.strip().replaceAll(" {2,}", " | ")))
        .containsExactly(
            "fork/join | external",
            "median response | 2.00 ms | 2.00 ms",
            "range of rounds | 2.00 ms – 2.00 ms | 2.00 ms – 2.00 ms",
            "mean response | 2.00 ms | 2.00 ms",
            "work here | 0 ns | 2.00 ms",
            "work elsewhere | 2.00 ms | 0 ns",
            "others | 0 ns | 0 ns",
            "own earlier | 0 ns | 0 ns",
            "hop | 1.50 µs | 500 ns",
            "launch | 0 ns | 0 ns",
            "host sync | 0 ns | 0 ns",
            "host late | 0 ns | 0 ns",
            "unknown | 0 ns | 0 ns",
            "stall | 1.50 µs | 500 ns",
            "turns per second | 250.0 | 250.0");
  }

  @Test
  void columnsOfTheTableAreAligned() {
    assertThat(ComparisonTable.of(COMPARISON).lines().mapToInt(String::length).distinct())
        .hasSize(1);
  }

  @Test
  void jsonHasTheSameNumbersInNanoseconds() throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      ComparisonJson.writeArms(json, COMPARISON);
      ComparisonJson.writeDifferences(json, List.of(COMPARISON.difference(0, 1)));
      json.writeEndObject();
    }
    assertThat(text.toString())
        .startsWith(
            "{\"rounds\":1,\"resamplingSeed\":7,\"arms\":[{\"name\":\"fork/join\",\"turns\":1")
        .contains("\"medianResponseNs\":{\"value\":2001500.0", "\"work_elsewhere\":2000000.0")
        .contains("\"hop\":1500.0", "\"meanStallNs\":1500.0", "\"bounds\":\"rangeOfRounds\"")
        .contains("\"differences\":[{\"from\":\"fork/join\",\"to\":\"external\"")
        .contains("{\"value\":-1000.0");
  }

  private static Arm arm(String name, Label work, long hopNs) {
    Parts parts = Parts.of(Map.of(work, 2_000_000L, Label.HOP, hopNs));
    return new Arm(name, List.of(new ArmRound(List.of(parts), 4_000_000)));
  }
}
