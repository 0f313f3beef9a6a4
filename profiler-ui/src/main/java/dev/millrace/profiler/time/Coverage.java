package dev.millrace.profiler.time;

/** The time that spans cover, each nanosecond once. Spans are added in the order of their begin. */
public final class Coverage {
  private long coveredNs;
  private long frontierNs = Long.MIN_VALUE;
  private long lastBeginNs = Long.MIN_VALUE;

  public void add(long beginNs, long endNs) {
    if (beginNs < lastBeginNs) {
      throw new IllegalArgumentException(
          "spans are not in order: beginNs=" + beginNs + " after " + lastBeginNs);
    }
    lastBeginNs = beginNs;
    if (endNs > frontierNs) {
      coveredNs += endNs - Math.max(beginNs, frontierNs);
      frontierNs = endNs;
    }
  }

  public long coveredNs() {
    return coveredNs;
  }
}
