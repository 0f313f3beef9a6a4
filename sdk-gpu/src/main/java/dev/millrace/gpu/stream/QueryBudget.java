package dev.millrace.gpu.stream;

/**
 * How often the completion thread may ask the device: each question takes a lock of the runtime,
 * which those who submit work want too. Never more than {@link #A_SECOND} in any second.
 */
final class QueryBudget {
  static final int A_SECOND = 20_000;

  /** What may be asked at once after a quiet time; the rate is lower by as much. */
  private static final int BURST = 200;

  private static final long INTERVAL_NS = 1_000_000_000L / (A_SECOND - BURST);

  private long credit = BURST;
  private long creditedNs;

  QueryBudget(long nowNs) {
    creditedNs = nowNs;
  }

  /** Takes one question; false if it has to wait. */
  boolean take(long nowNs) {
    long earned = (nowNs - creditedNs) / INTERVAL_NS;
    if (earned > 0) {
      credit = Math.min(BURST, credit + earned);
      creditedNs += earned * INTERVAL_NS;
    }
    if (credit == 0) {
      return false;
    }
    credit--;
    return true;
  }
}
