package dev.millrace.trace;

import dev.millrace.trace.TraceFile.Row;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What Perfetto's importer makes of a trace: rows in the order of their time, on each track a stack
 * of slices; one that crosses the end of the slice it begins in is dropped, and an arrow's end
 * binds to the slice on top of its track's stack.
 */
final class PerfettoModel {

  /** An arrow between two slices. */
  record Flow(Row from, Row to) {}

  private final Map<Track, Deque<Row>> stacks = new HashMap<>();
  private final Map<Long, Row> begun = new HashMap<>();
  private final List<Row> dropped = new ArrayList<>();
  private final List<Row> unbound = new ArrayList<>();
  private final List<Flow> flows = new ArrayList<>();

  PerfettoModel(TraceFile trace) {
    trace.rows().stream()
        .filter(row -> !row.text("ph").equals("M"))
        .sorted(
            Comparator.<Row>comparingLong(row -> row.nanos("ts"))
                .thenComparing(PerfettoModel::length, Comparator.reverseOrder()))
        .forEach(this::take);
  }

  List<Row> dropped() {
    return dropped;
  }

  List<Row> unbound() {
    return unbound;
  }

  List<Flow> flows() {
    return flows;
  }

  private static long length(Row row) {
    return row.text("ph").equals("X") ? row.nanos("dur") : 0;
  }

  private static long end(Row row) {
    return row.nanos("ts") + length(row);
  }

  private void take(Row row) {
    Track track = new Track(row.number("pid"), row.number("tid"));
    Deque<Row> stack = stacks.computeIfAbsent(track, _ -> new ArrayDeque<>());
    if (row.text("ph").equals("s") && !stack.isEmpty()) {
      begun.put(row.number("id"), stack.peek());
    } else if (row.text("ph").equals("f") && !stack.isEmpty()) {
      finish(row, stack.peek());
    } else if (row.text("ph").matches("[sf]")) {
      unbound.add(row);
    } else {
      push(row, stack);
    }
  }

  private void finish(Row end, Row slice) {
    Row from = begun.remove(end.number("id"));
    if (from == null) {
      unbound.add(end);
    } else {
      flows.add(new Flow(from, slice));
    }
  }

  private void push(Row row, Deque<Row> stack) {
    while (!stack.isEmpty() && end(stack.peek()) <= row.nanos("ts")) {
      stack.pop();
    }
    if (!stack.isEmpty() && end(row) > end(stack.peek())) {
      dropped.add(row);
    } else {
      stack.push(row);
    }
  }
}
