package dev.millrace.profiler.analysis;

/** What calls of one function cost the submitting thread. */
public record CallCost(long count, long ns) {
  CallCost plus(CallCost other) {
    return new CallCost(count + other.count, ns + other.ns);
  }
}
