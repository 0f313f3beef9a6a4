package dev.millrace.profiler.analysis;

import java.util.Comparator;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** Rows of a table, grouped by a number and sorted within each group. */
final class Ordering {
  private Ordering() {}

  /**
   * The rows of each group in the order of a key; rows of one key stay in the order of the file.
   *
   * @param rows how many there are
   * @param groups how many groups there are; rows of group -1 are left out
   */
  static int[][] by(
      int rows, int groups, IntPredicate wanted, IntUnaryOperator group, IntToLongFunction key) {
    int[][] sorted = new int[groups][];
    int[] sizes = new int[groups];
    IntPredicate kept = row -> group.applyAsInt(row) >= 0 && wanted.test(row);
    IntStream.range(0, rows).filter(kept).forEach(row -> sizes[group.applyAsInt(row)]++);
    for (int i = 0; i < groups; i++) {
      sorted[i] = new int[sizes[i]];
    }
    int[] filled = new int[groups];
    IntStream.range(0, rows)
        .filter(kept)
        .boxed()
        .sorted(Comparator.comparingLong(key::applyAsLong))
        .forEach(row -> sorted[group.applyAsInt(row)][filled[group.applyAsInt(row)]++] = row);
    return sorted;
  }

  /** How many of the first rows have a key that is smaller than {@code limit}. */
  static int countBelow(int[] sorted, IntToLongFunction key, long limit) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (key.applyAsLong(sorted[middle]) < limit) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
