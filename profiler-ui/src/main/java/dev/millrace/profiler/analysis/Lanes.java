package dev.millrace.profiler.analysis;

import dev.millrace.profiler.model.Operations;
import dev.millrace.profiler.model.TraceModel;
import java.util.Arrays;

/**
 * The operations of each in-order lane, which in a Millrace trace is a stream, in the order of
 * their begin. Nodes of programs are no operations of a lane: their program covers them.
 */
final class Lanes {
  static final int NONE = -1;

  private final int[] predecessor;
  private final long operations;
  private long overlaps;
  private long contiguous;

  Lanes(TraceModel trace) {
    Operations ops = trace.operations();
    predecessor = new int[ops.size()];
    Arrays.fill(predecessor, NONE);
    int[][] lanes =
        Ordering.by(
            ops.size(), trace.streams().size(), row -> isWork(ops, row), ops::stream, ops::beginNs);
    operations = Arrays.stream(lanes).mapToLong(lane -> lane.length).sum();
    for (int[] lane : lanes) {
      link(ops, lane);
    }
  }

  static boolean isWork(Operations ops, int row) {
    return ops.kind(row) != Operations.Kind.NODE;
  }

  private void link(Operations ops, int[] lane) {
    int frontier = NONE;
    for (int op : lane) {
      predecessor[op] = frontier;
      if (frontier != NONE) {
        count(ops.beginNs(op) - ops.endNs(frontier));
      }
      if (frontier == NONE || ops.endNs(op) >= ops.endNs(frontier)) {
        frontier = op;
      }
    }
  }

  private void count(long gapNs) {
    overlaps += gapNs < 0 ? 1 : 0;
    contiguous += gapNs == 0 || gapNs == 1 ? 1 : 0;
  }

  /** Of the operations before it in its lane, the one that ended last; or {@link #NONE}. */
  int predecessor(int op) {
    return predecessor[op];
  }

  long operations() {
    return operations;
  }

  /** How many began before the one before them had ended. */
  long overlaps() {
    return overlaps;
  }

  /** How many began within a nanosecond of the end of the one before them. */
  long contiguous() {
    return contiguous;
  }
}
