package dev.millrace.profiler.time;

/** A half-open stretch of time. Both ends are nanoseconds of one clock. */
public record Span(long beginNs, long endNs) {
  public Span {
    if (endNs < beginNs) {
      throw new IllegalArgumentException(
          "a span ends before it begins: beginNs=" + beginNs + " endNs=" + endNs);
    }
  }

  public long lengthNs() {
    return endNs - beginNs;
  }

  public boolean contains(long atNs) {
    return beginNs <= atNs && atNs < endNs;
  }
}
