package dev.millrace.profiler.model;

import java.util.ArrayList;
import java.util.List;

/** Rows of one kind, kept as columns. Rows are numbered from 0 in the order of the file. */
abstract sealed class Table
    permits Streams,
        Threads,
        Operations,
        Calls,
        Records,
        Waits,
        HostSyncs,
        Runs,
        Ranges,
        Bindings,
        LaneWaits {
  private final List<LongColumn> longs = new ArrayList<>();
  private final List<IntColumn> ints = new ArrayList<>();
  private boolean sealed;
  private int size;

  final LongColumn longs() {
    LongColumn column = new LongColumn();
    longs.add(column);
    return column;
  }

  final IntColumn ints() {
    IntColumn column = new IntColumn();
    ints.add(column);
    return column;
  }

  final <E extends Enum<E>> EnumColumn<E> words(E[] words) {
    return new EnumColumn<>(words, ints());
  }

  /** Counts a row that is about to be added and returns its number. */
  final int newRow() {
    if (sealed) {
      throw new IllegalStateException("the trace is complete: no row can be added");
    }
    return size++;
  }

  /** The number of rows. */
  public final int size() {
    return size;
  }

  final void seal() {
    sealed = true;
    longs.forEach(LongColumn::trim);
    ints.forEach(IntColumn::trim);
  }
}
