package dev.millrace.trace;

import java.time.Instant;

/**
 * The two clocks at one moment: {@code wallNs} (since 1970) was read at {@code atNs} (of {@link
 * System#nanoTime()}), give or take {@code errorNs}.
 */
record ClockReading(long atNs, long wallNs, long errorNs) {
  private static final int TRIES = 5;

  /** Reads both a few times and keeps the tightest: a thread may be put aside in between. */
  static ClockReading take() {
    ClockReading best = once();
    for (int i = 1; i < TRIES; i++) {
      ClockReading next = once();
      best = next.errorNs < best.errorNs ? next : best;
    }
    return best;
  }

  private static ClockReading once() {
    long before = System.nanoTime();
    Instant wall = Instant.now();
    long width = System.nanoTime() - before;
    long wallNs = wall.getEpochSecond() * 1_000_000_000L + wall.getNano();
    return new ClockReading(before + width / 2, wallNs, (width + 1) / 2);
  }
}
