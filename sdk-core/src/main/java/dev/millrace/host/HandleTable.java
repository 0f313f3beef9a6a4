package dev.millrace.host;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Gives objects out as plain numbers, as a C library does. The low half of a number is a place, the
 * high half says how often that place was given before, so that a number is never given twice.
 */
final class HandleTable<T extends HandleTable.Entry> {

  /** What a table can hold: knows its number. */
  abstract static class Entry {
    private long handle;

    final long handle() {
      return handle;
    }
  }

  private final String kind;
  private volatile AtomicReferenceArray<@Nullable T> entries = new AtomicReferenceArray<>(16);
  private int[] generations = new int[16];
  private int[] free = new int[16];
  private int freeCount;
  private int used;

  HandleTable(String kind) {
    this.kind = kind;
  }

  synchronized long add(T entry) {
    int place = freeCount > 0 ? free[--freeCount] : nextPlace();
    // Generations begin at 1 and the sign bit stays clear: no number is 0 or negative.
    generations[place] = (generations[place] + 1) & Integer.MAX_VALUE;
    ((Entry) entry).handle = (long) generations[place] << 32 | place;
    entries.set(place, entry);
    return entry.handle();
  }

  private int nextPlace() {
    if (used == generations.length) {
      grow(used * 2);
    }
    return used++;
  }

  private void grow(int size) {
    AtomicReferenceArray<@Nullable T> wider = new AtomicReferenceArray<>(size);
    for (int i = 0; i < used; i++) {
      wider.set(i, entries.get(i));
    }
    entries = wider;
    generations = Arrays.copyOf(generations, size);
    free = Arrays.copyOf(free, size);
  }

  T get(long handle) {
    AtomicReferenceArray<@Nullable T> seen = entries;
    int place = (int) handle;
    if (place >= 0 && place < seen.length()) {
      T entry = seen.get(place);
      if (entry != null && entry.handle() == handle) {
        return entry;
      }
    }
    throw new IllegalStateException(
        "use " + kind + "=0x" + Long.toHexString(handle) + ": it was destroyed or never created");
  }

  synchronized T remove(long handle) {
    T entry = get(handle);
    int place = (int) handle;
    entries.set(place, null);
    free[freeCount++] = place;
    return entry;
  }
}
