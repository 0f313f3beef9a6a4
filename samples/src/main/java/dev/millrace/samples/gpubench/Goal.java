package dev.millrace.samples.gpubench;

import dev.millrace.samples.bench.Median;

/**
 * What a figure may be.
 *
 * @param limit the most, or the least
 * @param isLeast which of the two
 */
record Goal(double limit, boolean isLeast) {
  static Goal atMost(double limit) {
    return new Goal(limit, false);
  }

  static Goal atLeast(double limit) {
    return new Goal(limit, true);
  }

  boolean holds(Median seen) {
    return isLeast ? seen.value() >= limit : seen.value() <= limit;
  }

  String verdict(Median seen) {
    return holds(seen) ? "holds" : "MISSES";
  }

  @Override
  public String toString() {
    return (isLeast ? "at least " : "at most ") + limit;
  }
}
