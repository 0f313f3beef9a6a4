package dev.millrace.samples.bench;

import java.util.stream.DoubleStream;

/**
 * The middle of some values, with the lowest and the highest.
 *
 * @param value the middle one, or between the two middle ones
 * @param lowest of all
 * @param highest of all
 */
public record Median(double value, double lowest, double highest) {

  /**
   * The middle of some values.
   *
   * @param values one or more
   * @return it, and how far they spread
   */
  public static Median within(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    return new Median(middle(sorted), sorted[0], sorted[sorted.length - 1]);
  }

  /**
   * The middle of some values.
   *
   * @param values one or more
   * @return it alone
   */
  public static double of(DoubleStream values) {
    return middle(values.sorted().toArray());
  }

  private static double middle(double[] sorted) {
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
