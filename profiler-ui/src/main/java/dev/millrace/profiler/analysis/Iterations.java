package dev.millrace.profiler.analysis;

import dev.millrace.profiler.model.Operations;
import dev.millrace.profiler.model.Ranges;
import dev.millrace.profiler.model.Runs;
import dev.millrace.profiler.model.TraceModel;
import dev.millrace.profiler.time.Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The iterations of a trace and the operations of each. An operation belongs to the iteration in
 * whose range its launching call began; where the trace has no such range, to the one that its run
 * names.
 */
final class Iterations {
  /** The name of the ranges that mark iterations. */
  static final String RANGE = "millrace.iteration";

  static final int NONE = -1;

  private record Turn(String caller, long number) {}

  private final TraceModel trace;
  private final Submissions submissions;
  private final List<Iteration> iterations = new ArrayList<>();
  private final Map<Integer, TreeMap<Long, Integer>> byThread = new HashMap<>();
  private final Map<Turn, Integer> byTurn = new HashMap<>();
  private final Map<String, Integer> callers = new HashMap<>();
  private final int[] iterationOf;
  private final int[] callerOf;
  private final int[][] operations;

  Iterations(TraceModel trace, Submissions submissions) {
    this.trace = trace;
    this.submissions = submissions;
    Ranges ranges = trace.ranges();
    for (int row = 0; row < ranges.size(); row++) {
      if (ranges.name(row).equals(RANGE)) {
        add(ranges, row);
      }
    }
    Operations ops = trace.operations();
    iterationOf = new int[ops.size()];
    callerOf = new int[ops.size()];
    for (int op = 0; op < ops.size(); op++) {
      assign(op);
    }
    operations =
        Ordering.by(
            ops.size(),
            iterations.size(),
            op -> Lanes.isWork(ops, op),
            op -> iterationOf[op],
            ops::beginNs);
  }

  private void add(Ranges ranges, int row) {
    Span span = new Span(ranges.beginNs(row), ranges.endNs(row));
    Turn turn = new Turn(ranges.caller(row), ranges.iteration(row));
    byThread
        .computeIfAbsent(ranges.thread(row), thread -> new TreeMap<>())
        .put(span.beginNs(), iterations.size());
    byTurn.put(turn, iterations.size());
    iterations.add(new Iteration(turn.caller(), turn.number(), ranges.thread(row), span));
  }

  private void assign(int op) {
    int run = trace.runs().rowOf(trace.operations().run(op));
    int iteration = byLaunch(op);
    if (iteration == NONE && run != Runs.NONE) {
      iteration = byTurn.getOrDefault(turn(run), NONE);
    }
    iterationOf[op] = iteration;
    callerOf[op] = iteration != NONE ? caller(iterations.get(iteration).caller()) : callerOf(run);
  }

  private Turn turn(int run) {
    return new Turn(trace.runs().caller(run), trace.runs().iteration(run));
  }

  private int callerOf(int run) {
    return run == Runs.NONE ? NONE : caller(trace.runs().caller(run));
  }

  private int caller(String name) {
    return callers.computeIfAbsent(name, it -> callers.size());
  }

  private int byLaunch(int op) {
    int call = submissions.launch(op);
    if (call == Submissions.NONE) {
      return NONE;
    }
    long atNs = trace.calls().beginNs(call);
    TreeMap<Long, Integer> own = byThread.get(trace.calls().thread(call));
    Map.Entry<Long, Integer> last = own == null ? null : own.floorEntry(atNs);
    return last != null && iterations.get(last.getValue()).range().contains(atNs)
        ? last.getValue()
        : NONE;
  }

  List<Iteration> list() {
    return iterations;
  }

  /** The iteration's operations in the order of their begin. */
  int[] operations(int iteration) {
    return operations[iteration];
  }

  /** The number of the operation's iteration, or {@link #NONE}. */
  int of(int op) {
    return iterationOf[op];
  }

  /** Whether another caller's name is known for the operation. */
  boolean isOthers(int op, int iteration) {
    return callerOf[op] != NONE && callerOf[op] != caller(iterations.get(iteration).caller());
  }

  /** Whether the operation is the iteration's caller's. */
  boolean isOwn(int op, int iteration) {
    return callerOf[op] != NONE && !isOthers(op, iteration);
  }

  /** How many operations belong to no iteration. */
  long orphans() {
    Operations ops = trace.operations();
    return IntStream.range(0, ops.size())
        .filter(op -> iterationOf[op] == NONE && Lanes.isWork(ops, op))
        .count();
  }

  /** The iteration's home stream: that of its first run, else that of its first operation. */
  int homeStream(int iteration) {
    int[] own = operations[iteration];
    for (int op : own) {
      int run = trace.runs().rowOf(trace.operations().run(op));
      if (run != Runs.NONE) {
        return trace.runs().homeStream(run);
      }
    }
    return trace.operations().stream(own[0]);
  }
}
