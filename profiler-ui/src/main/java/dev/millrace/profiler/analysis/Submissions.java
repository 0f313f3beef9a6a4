package dev.millrace.profiler.analysis;

import dev.millrace.profiler.model.Calls;
import dev.millrace.profiler.model.Operations;
import dev.millrace.profiler.model.TraceModel;
import java.util.HashMap;
import java.util.Map;

/**
 * When operations were submitted: within the call that has their correlation, and at its end at the
 * latest, or at their own begin where they began inside it.
 */
final class Submissions {
  static final int NONE = -1;

  private final Operations ops;
  private final Calls calls;
  private final Map<Long, Integer> callOf = new HashMap<>();

  Submissions(TraceModel trace) {
    ops = trace.operations();
    calls = trace.calls();
    for (int call = 0; call < calls.size(); call++) {
      if (calls.correlation(call) != 0) {
        callOf.merge(calls.correlation(call), call, this::inner);
      }
    }
  }

  /** Of two calls with one correlation, the one that the other one made. */
  private int inner(int a, int b) {
    return length(b) < length(a) ? b : a;
  }

  private long length(int call) {
    return calls.endNs(call) - calls.beginNs(call);
  }

  /** The call with this correlation, or {@link #NONE}. */
  int call(long correlation) {
    return callOf.getOrDefault(correlation, NONE);
  }

  /** The call that launched an operation, or {@link #NONE}. */
  int launch(int op) {
    return call(ops.correlation(op));
  }

  boolean isKnown(int op) {
    return launch(op) != NONE;
  }

  /** The begin of the launching call, or that of the operation if the clocks disagree. */
  long loNs(int op) {
    return Math.min(calls.beginNs(launch(op)), ops.beginNs(op));
  }

  long hiNs(int op) {
    return Math.min(calls.endNs(launch(op)), ops.beginNs(op));
  }

  /** Whether it began before its launching call returned, so that {@link #hiNs} is a bound only. */
  boolean beganInsideCall(int op) {
    return calls.endNs(launch(op)) > ops.beginNs(op);
  }

  int thread(int op) {
    return threadOf(launch(op));
  }

  int threadOf(int call) {
    return calls.thread(call);
  }
}
