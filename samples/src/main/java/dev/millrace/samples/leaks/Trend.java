package dev.millrace.samples.leaks;

import java.util.Arrays;

/**
 * How much a quantity grew over the second half of its samples, by the median of the slopes between
 * any two of them (Theil and Sen). The first half is for what grows once: caches, compiled code,
 * the allocator's arenas. A few samples that stand out do not move the median.
 */
final class Trend {
  private Trend() {}

  /**
   * The growth.
   *
   * @param samples taken at even distances, four or more
   * @return from the middle sample to the last one, by the median slope
   */
  static double growth(long[] samples) {
    long[] half = Arrays.copyOfRange(samples, samples.length / 2, samples.length);
    double[] slopes = new double[half.length * (half.length - 1) / 2];
    int count = 0;
    for (int i = 0; i < half.length; i++) {
      for (int j = i + 1; j < half.length; j++) {
        slopes[count++] = (double) (half[j] - half[i]) / (j - i);
      }
    }
    Arrays.sort(slopes);
    double slope = (slopes[(count - 1) / 2] + slopes[count / 2]) / 2;
    return slope * (half.length - 1);
  }
}
