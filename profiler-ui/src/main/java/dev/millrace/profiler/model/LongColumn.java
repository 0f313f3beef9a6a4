package dev.millrace.profiler.model;

import java.util.Arrays;

/** A growing array of longs. */
final class LongColumn {
  private long[] values = new long[16];
  private int size;

  void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size + (size >> 1));
    }
    values[size++] = value;
  }

  long get(int row) {
    return values[checked(row)];
  }

  void set(int row, long value) {
    values[checked(row)] = value;
  }

  int size() {
    return size;
  }

  /** Gives back what growth had reserved. */
  void trim() {
    values = Arrays.copyOf(values, size);
  }

  private int checked(int row) {
    if (row >= size) {
      throw new IndexOutOfBoundsException("row=" + row + " of " + size);
    }
    return row;
  }
}
