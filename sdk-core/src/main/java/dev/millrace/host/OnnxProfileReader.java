package dev.millrace.host;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.millrace.trace.TraceEvent;
import dev.millrace.trace.TraceEvent.WorkKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a profile of ONNX Runtime: a JSON array of Chrome trace events in the order in which they
 * ended, in whole microseconds since the session began. The nodes of a run precede the {@code
 * model_run} around them, on the same thread.
 */
final class OnnxProfileReader {
  private static final String NODE_SUFFIX = "_kernel_time";
  private static final String RUN = "model_run";

  /** The profile's ends are cut to microseconds. */
  private static final long SLACK_NS = 2_000;

  private final long sessionBeginNs;
  private final NavigableMap<Long, OnnxProfiledRun> runs = new TreeMap<>();
  private final Map<Long, List<Slice>> nodesByThread = new HashMap<>();
  private final Consumer<TraceEvent> sink;

  private OnnxProfileReader(long sessionBeginNs, Consumer<TraceEvent> sink) {
    this.sessionBeginNs = sessionBeginNs;
    this.sink = sink;
  }

  /** One event of the file, on the wall clock. */
  private record Slice(String name, long thread, long beginNs, long endNs) {}

  /**
   * Reads a profile.
   *
   * @param sessionBeginNs when the session began, by the wall clock
   * @param runs the runs of which the trace knows
   * @param sink takes each node of those runs
   */
  static void read(
      Path file, long sessionBeginNs, List<OnnxProfiledRun> runs, Consumer<TraceEvent> sink)
      throws IOException {
    OnnxProfileReader reader = new OnnxProfileReader(sessionBeginNs, sink);
    runs.forEach(reader::expect);
    try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
      while (json.nextToken() != null) {
        if (json.currentToken() == JsonToken.START_OBJECT) {
          reader.take(reader.slice(json));
        }
      }
    }
  }

  private void expect(OnnxProfiledRun run) {
    long begin = run.wallBeginNs();
    while (runs.putIfAbsent(begin, run) != null) {
      begin++;
    }
  }

  private Slice slice(JsonParser json) throws IOException {
    String name = "";
    long thread = 0;
    long begin = 0;
    long duration = 0;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String key = json.currentName();
      json.nextToken();
      switch (key) {
        case "name" -> name = json.getText();
        case "tid" -> thread = json.getLongValue();
        case "ts" -> begin = TimeUnit.MICROSECONDS.toNanos(json.getLongValue());
        case "dur" -> duration = TimeUnit.MICROSECONDS.toNanos(json.getLongValue());
        default -> json.skipChildren();
      }
    }
    return new Slice(name, thread, sessionBeginNs + begin, sessionBeginNs + begin + duration);
  }

  private void take(Slice slice) {
    if (slice.name().endsWith(NODE_SUFFIX)) {
      nodesByThread.computeIfAbsent(slice.thread(), _ -> new ArrayList<>()).add(slice);
    } else if (slice.name().equals(RUN)) {
      List<Slice> nodes = nodesByThread.remove(slice.thread());
      OnnxProfiledRun run = takeRunAround(slice);
      if (run != null && nodes != null) {
        nodes.forEach(node -> sink.accept(work(node, run)));
      }
    }
  }

  private static TraceEvent work(Slice node, OnnxProfiledRun run) {
    String name = node.name().substring(0, node.name().length() - NODE_SUFFIX.length());
    return new TraceEvent.DeviceWork(
        WorkKind.NODE,
        name,
        0,
        run.stream(),
        0,
        run.toTraceNs(node.beginNs()),
        run.toTraceNs(node.endNs()),
        run.madeRun());
  }

  /**
   * Of the runs that were under way meanwhile, the one whose ends are nearest: runs of several
   * lanes overlap, and the profile knows no run ids. Each is found once.
   */
  private @Nullable OnnxProfiledRun takeRunAround(Slice slice) {
    Long best = null;
    long bestDistance = Long.MAX_VALUE;
    for (Map.Entry<Long, OnnxProfiledRun> entry :
        runs.headMap(slice.beginNs() + SLACK_NS, true).descendingMap().entrySet()) {
      long early = Math.abs(slice.beginNs() - entry.getKey());
      if (early >= bestDistance) {
        break;
      }
      long late = entry.getValue().wallEndNs() - slice.endNs();
      if (late >= -SLACK_NS && early + Math.abs(late) < bestDistance) {
        best = entry.getKey();
        bestDistance = early + Math.abs(late);
      }
    }
    return best == null ? null : runs.remove(best);
  }
}
