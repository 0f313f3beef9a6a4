package dev.millrace.profiler.analysis;

import dev.millrace.profiler.model.Operations;
import dev.millrace.profiler.model.TraceModel;
import dev.millrace.profiler.time.Span;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts one response into labelled stretches, from the end of the last operation back to the first
 * submission. Before an operation the path goes to the constraint that was satisfied last. While it
 * is inside another caller's operations, or the caller's own earlier ones, everything has their
 * label, gaps too.
 */
final class CriticalPath {
  private static final int END = -1;

  private final Operations ops;
  private final Causes causes;
  private final HostWaits hostWaits;
  private final Iterations iterations;
  private final int iteration;
  private final int home;
  private final long fromNs;
  private final List<PathSegment> segments = new ArrayList<>();
  private long cursorNs;

  private CriticalPath(
      TraceModel trace,
      Causes causes,
      HostWaits hostWaits,
      Iterations iterations,
      int iteration,
      Span response) {
    ops = trace.operations();
    this.causes = causes;
    this.hostWaits = hostWaits;
    this.iterations = iterations;
    this.iteration = iteration;
    home = iterations.homeStream(iteration);
    fromNs = response.beginNs();
    cursorNs = response.endNs();
  }

  /** The stretches of the response in the order of time. */
  static List<PathSegment> of(
      TraceModel trace,
      Causes causes,
      HostWaits hostWaits,
      Iterations iterations,
      int iteration,
      Span response,
      int lastOperation) {
    return new CriticalPath(trace, causes, hostWaits, iterations, iteration, response)
        .walkBack(lastOperation);
  }

  private List<PathSegment> walkBack(int lastOperation) {
    int op = lastOperation;
    // A path meets no operation twice, unless a broken trace has causes in a circle.
    for (int steps = ops.size(); op != END && cursorNs > fromNs && steps > 0; steps--) {
      op = before(op);
    }
    cut(Label.UNKNOWN, fromNs, PathSegment.NONE);
    Collections.reverse(segments);
    return segments;
  }

  /** Labels an operation and what preceded it, and returns the operation that the path goes to. */
  private int before(int op) {
    Label work = label(op);
    cut(work, ops.beginNs(op), op);
    Label foreign = work.isWork() ? null : work;
    Cause cause = causes.of(op);
    if (cause.kind() == Cause.Kind.NOTHING) {
      return END;
    }
    cutGap(op, cause, foreign);
    return cause.thread() == Cause.NONE ? cause.operation() : alongHost(cause.thread(), foreign);
  }

  private Label label(int op) {
    if (iterations.of(op) == iteration) {
      return ops.stream(op) == home ? Label.WORK_HERE : Label.WORK_ELSEWHERE;
    }
    if (iterations.isOthers(op, iteration)) {
      return Label.OTHERS;
    }
    return iterations.isOwn(op, iteration) ? Label.OWN_EARLIER : Label.UNKNOWN;
  }

  private void cutGap(int op, Cause cause, @Nullable Label foreign) {
    if (foreign != null) {
      cut(foreign, cause.atNs(), op);
    } else if (cause.kind() == Cause.Kind.EVENT) {
      cut(Label.HOP, cause.atNs(), op);
    } else if (causes.isSubmissionKnown(op)) {
      cut(Label.LAUNCH, Math.max(cause.atNs(), cursorNs - causes.launchCapNs()), op);
      cut(Label.UNKNOWN, cause.atNs(), op);
    } else {
      cut(Label.UNKNOWN, cause.atNs(), op);
    }
  }

  /** Follows a host thread back to an operation that it waited for. */
  private int alongHost(int thread, @Nullable Label foreign) {
    Label late = foreign == null ? Label.HOST_LATE : foreign;
    Label sync = foreign == null ? Label.HOST_SYNC : foreign;
    for (int n = hostWaits.countEnded(thread, cursorNs) - 1; n >= 0 && cursorNs > fromNs; n--) {
      cut(late, hostWaits.endNs(thread, n), PathSegment.NONE);
      Cause waited = hostWaits.waitedFor(thread, n);
      if (waited.operation() != Cause.NONE && waited.atNs() > hostWaits.beginNs(thread, n)) {
        cut(sync, waited.atNs(), waited.operation());
        return waited.operation();
      }
      cut(sync, hostWaits.beginNs(thread, n), PathSegment.NONE);
    }
    cut(late, fromNs, PathSegment.NONE);
    return END;
  }

  /** Gives the label to all time back to {@code toNs}; to nothing where that is not earlier. */
  private void cut(Label label, long toNs, int op) {
    long begin = Math.max(toNs, fromNs);
    if (begin < cursorNs) {
      segments.add(new PathSegment(label, new Span(begin, cursorNs), op));
      cursorNs = begin;
    }
  }
}
