package dev.millrace.profiler.compare;

/**
 * A number that was estimated from rounds.
 *
 * @param value the number
 * @param low the lower end of where it may lie
 * @param high the upper end
 * @param isInterval whether that is a 95 % interval; else it is only the range of the rounds
 */
public record Estimate(double value, double low, double high, boolean isInterval) {

  /** Whether its sign is not known. */
  public boolean includesZero() {
    return low <= 0 && high >= 0;
  }
}
