package dev.millrace.samples.bench;

import java.util.stream.DoubleStream;

/** The middle of some values, with the lowest and the highest. */
record Median(double value, double lowest, double highest) {

  static Median within(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    return new Median(middle(sorted), sorted[0], sorted[sorted.length - 1]);
  }

  static double of(DoubleStream values) {
    return middle(values.sorted().toArray());
  }

  private static double middle(double[] sorted) {
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
