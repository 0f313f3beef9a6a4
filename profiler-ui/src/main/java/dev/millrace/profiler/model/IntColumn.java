package dev.millrace.profiler.model;

import java.util.Arrays;

/** A growing array of ints. */
final class IntColumn {
  private int[] values = new int[16];
  private int size;

  void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size + (size >> 1));
    }
    values[size++] = value;
  }

  int get(int row) {
    return values[checked(row)];
  }

  void set(int row, int value) {
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
