package dev.millrace.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.millrace.model.CompileOptions;
import dev.millrace.model.Model;
import dev.millrace.program.Arguments;
import dev.millrace.program.Program;
import dev.millrace.program.Run;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.testing.OnnxGraph;
import dev.millrace.testing.Threads;
import dev.millrace.trace.TraceSession;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes of a program in the trace, each under the run that it is part of. */
final class NodeProfileTest {
  private static final CompileOptions PROFILE =
      CompileOptions.defaults().withNodeProfile().withThreadsPerRun(1).withLanes(4);

  @TempDir Path folder;

  /** Work of a stream, as the trace tells it. */
  private record Slice(String kind, String name, long stream, long run, long beginNs, long endNs) {
    boolean isWithin(Slice other) {
      return stream == other.stream && beginNs >= other.beginNs && endNs <= other.endNs;
    }
  }

  private static Model threeNodes() {
    return new OnnxGraph()
        .input("x", 1, 64, 64)
        .node("MatMul", List.of("x", "x"), List.of("a"))
        .node("Sin", List.of("a"), List.of("b"))
        .node("Cos", List.of("b"), List.of("y"))
        .output("y", 1, 64, 64)
        .toModel();
  }

  @Test
  void putsTheNodesOfEachRunUnderThatRun() throws Exception {
    Path trace = folder.resolve("trace.json");
    Set<Long> runs = ConcurrentHashMap.newKeySet();
    try (TraceSession _ = TraceSession.start(trace);
        Device host = Device.open("host");
        Program program = Program.load(threeNodes(), host, PROFILE)) {
      Threads.together(Collections.nCopies(4, () -> runs.addAll(runMany(program, host, 25))));
    }
    List<Slice> slices = slices(trace);
    Map<Long, Slice> programs = new HashMap<>();
    slices.stream()
        .filter(slice -> slice.kind().equals("PROGRAM"))
        .forEach(slice -> programs.put(slice.run(), slice));
    Map<Long, List<Slice>> nodes =
        slices.stream()
            .filter(slice -> slice.kind().equals("NODE"))
            .collect(Collectors.groupingBy(Slice::run));

    assertThat(runs).hasSize(100);
    assertThat(programs.keySet()).isEqualTo(runs);
    assertThat(nodes.keySet()).isEqualTo(runs);
    nodes.forEach(
        (run, parts) -> {
          assertThat(parts).extracting(Slice::name).containsExactly("MatMul_0", "Sin_1", "Cos_2");
          Slice program = Objects.requireNonNull(programs.get(run));
          assertThat(parts).allMatch(node -> node.isWithin(program));
          assertThat(parts).isSortedAccordingTo((a, b) -> Long.compare(a.beginNs(), b.beginNs()));
        });
  }

  private static Set<Long> runMany(Program program, Device host, int times) throws Exception {
    Set<Long> runs = new HashSet<>();
    try (DeviceStream stream = host.newStream();
        Arguments io = program.arguments()) {
      io.input("x").write(new float[64 * 64]);
      for (int i = 0; i < times; i++) {
        try (Run run = program.runAsync(io, stream)) {
          runs.add(run.id());
          run.await();
        }
      }
    }
    return runs;
  }

  @Test
  void keepsRunsOutThatWereMadeWhileTheTraceWasOff() throws Exception {
    Path trace = folder.resolve("trace.json");
    Set<Long> runs;
    try (Device host = Device.open("host")) {
      Program program = Program.load(threeNodes(), host, PROFILE);
      runMany(program, host, 3);
      try (TraceSession _ = TraceSession.start(trace);
          program) {
        runs = runMany(program, host, 2);
      }
    }
    assertThat(slices(trace))
        .filteredOn(slice -> slice.kind().equals("NODE"))
        .hasSize(6)
        .allMatch(slice -> runs.contains(slice.run()));
  }

  private static List<Slice> slices(Path trace) throws IOException {
    List<Slice> slices = new ArrayList<>();
    try (JsonParser json = new JsonFactory().createParser(trace.toFile())) {
      json.nextToken();
      while (json.nextToken() == JsonToken.START_OBJECT) {
        Map<String, String> fields = new HashMap<>();
        readObject(json, fields);
        if ("DeviceWork".equals(fields.get("cat"))) {
          slices.add(slice(fields));
        }
      }
    }
    return slices;
  }

  /** Fields of inner objects are taken as fields of the outer one. */
  private static void readObject(JsonParser json, Map<String, String> fields) throws IOException {
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      switch (json.nextToken()) {
        case START_OBJECT -> readObject(json, fields);
        case START_ARRAY -> json.skipChildren();
        default -> fields.put(name, String.valueOf(json.getText()));
      }
    }
  }

  private static Slice slice(Map<String, String> fields) {
    return new Slice(
        text(fields, "kind"),
        text(fields, "name"),
        Long.parseLong(text(fields, "stream")),
        Long.parseLong(text(fields, "run")),
        Long.parseLong(text(fields, "beginNs")),
        Long.parseLong(text(fields, "endNs")));
  }

  private static String text(Map<String, String> fields, String name) {
    String value = fields.get(name);
    assertThat(value).as(name).isNotNull();
    return String.valueOf(value);
  }
}
