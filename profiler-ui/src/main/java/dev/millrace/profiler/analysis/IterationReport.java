package dev.millrace.profiler.analysis;

import dev.millrace.profiler.time.Span;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What one iteration cost its caller.
 *
 * @param iteration which
 * @param operations how many operations it had
 * @param response from its first submission to the end of its last operation
 * @param firstNs when its first operation began; the span lasts from here
 * @param periodNs from its first operation to that of the caller's next iteration, if there is one
 * @param busyNs in which one of its operations ran on any stream, each nanosecond once
 * @param submit the calls that its thread made, by function
 * @param hostSyncNs in which its thread waited for the device
 * @param path the stretches that make up the response, in the order of time
 * @param parts the same by label
 */
public record IterationReport(
    Iteration iteration,
    int operations,
    Span response,
    long firstNs,
    OptionalLong periodNs,
    long busyNs,
    Map<String, CallCost> submit,
    long hostSyncNs,
    List<PathSegment> path,
    Parts parts) {
  public IterationReport {
    submit = Map.copyOf(submit);
    path = List.copyOf(path);
  }

  public long responseNs() {
    return response.lengthNs();
  }

  /** From the begin of the first operation to the end of the last. */
  public long spanNs() {
    return response.endNs() - firstNs;
  }

  /** The part of the span in which none of its operations ran. */
  public long exposedNs() {
    return spanNs() - busyNs;
  }
}
