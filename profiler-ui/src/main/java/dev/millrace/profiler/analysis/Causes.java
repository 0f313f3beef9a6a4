package dev.millrace.profiler.analysis;

import dev.millrace.profiler.model.Operations;
import dev.millrace.profiler.model.TraceModel;
import java.util.Arrays;

/** For each operation the constraint that was satisfied last, and how long a launch may take. */
final class Causes {
  private static final long LEAST_CAP_NS = 20_000;
  private static final long GREATEST_CAP_NS = 100_000;
  private static final long CAP_WITHOUT_SAMPLES_NS = 50_000;
  private static final int ENOUGH_SAMPLES = 20;

  private final Operations ops;
  private final Lanes lanes;
  private final Submissions submissions;
  private final SubmissionOrder order;
  private final long medianLaunchNs;
  private final int samples;
  private final long contradictions;

  Causes(TraceModel trace, Lanes lanes, Submissions submissions, SubmissionOrder order) {
    ops = trace.operations();
    this.lanes = lanes;
    this.submissions = submissions;
    this.order = order;
    long[] latencies = new long[ops.size()];
    int found = 0;
    long impossible = 0;
    for (int op = 0; op < ops.size(); op++) {
      if (Lanes.isWork(ops, op)) {
        impossible += impossibleEvents(op);
        if (showsLaunchLatency(op)) {
          latencies[found++] = ops.beginNs(op) - submissions.hiNs(op);
        }
      }
    }
    Arrays.sort(latencies, 0, found);
    samples = found;
    medianLaunchNs = found == 0 ? 0 : latencies[found / 2];
    contradictions = impossible;
  }

  private boolean showsLaunchLatency(int op) {
    int before = lanes.predecessor(op);
    return submissions.isKnown(op)
        && order.waitCount(op) == 0
        && (before == Lanes.NONE || ops.endNs(before) <= submissions.hiNs(op));
  }

  private long impossibleEvents(int op) {
    long count = 0;
    for (int n = order.waitCount(op) - 1; n >= 0; n--) {
      count += order.event(op, n).atNs() > ops.beginNs(op) ? 1 : 0;
    }
    return count;
  }

  /**
   * The constraint that was satisfied last before the operation began. An event that was ready only
   * after the operation had begun contradicts its wait, and is not believed.
   */
  Cause of(int op) {
    Cause latest = Cause.UNKNOWN;
    int before = lanes.predecessor(op);
    if (before != Lanes.NONE) {
      latest = Cause.predecessor(before, Math.min(ops.endNs(before), ops.beginNs(op)));
    }
    for (int n = order.waitCount(op) - 1; n >= 0; n--) {
      Cause event = order.event(op, n);
      latest = event.atNs() > ops.beginNs(op) ? latest : latest.latest(event);
    }
    return submissions.isKnown(op) ? latest.latest(host(op)) : latest;
  }

  private Cause host(int op) {
    long atNs = submissions.hiNs(op);
    if (submissions.beganInsideCall(op)) {
      atNs = Math.max(submissions.loNs(op), atNs - medianLaunchNs);
    }
    return Cause.host(submissions.thread(op), atNs);
  }

  boolean isSubmissionKnown(int op) {
    return submissions.isKnown(op);
  }

  /** What exceeds this before an operation that nothing holds is no launch: nobody knows what. */
  long launchCapNs() {
    return samples < ENOUGH_SAMPLES
        ? CAP_WITHOUT_SAMPLES_NS
        : Math.clamp(4 * medianLaunchNs, LEAST_CAP_NS, GREATEST_CAP_NS);
  }

  /** How many waits were for events that were ready only after the waiting operation had begun. */
  long contradictions() {
    return contradictions;
  }
}
