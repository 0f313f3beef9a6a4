package dev.millrace.profiler.analysis;

import dev.millrace.profiler.model.Waits;
import java.util.Map;

/**
 * What has to be known of a trace before its answers are believed.
 *
 * @param operations how many there are
 * @param orphans how many of them belong to no iteration
 * @param overlaps how many began before the one before them on the same stream had ended
 * @param contiguous how many began within a nanosecond of it, which hides launch latency
 * @param contradictions waits for events that were ready only after the waiting operation began
 * @param waits how many waits had which end
 * @param launchCapNs what exceeds this before an operation that nothing holds is unknown
 */
public record TraceFacts(
    long operations,
    long orphans,
    long overlaps,
    long contiguous,
    long contradictions,
    Map<Waits.Disposition, Long> waits,
    long launchCapNs) {
  private static final double MANY_CONTIGUOUS = 0.2;

  public TraceFacts {
    waits = Map.copyOf(waits);
  }

  /** Whether launch latency and work can only be believed as their sum. */
  public boolean hidesLaunchLatency() {
    return contiguous > MANY_CONTIGUOUS * operations;
  }
}
