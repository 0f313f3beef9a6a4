package dev.millrace.profiler.model;

import java.util.HashMap;
import java.util.Map;

/** The host threads of a trace. Other tables name them by their row. */
public final class Threads extends Table {
  private final StringPool strings;
  private final Map<Long, Integer> numbers = new HashMap<>();
  private final LongColumn id = longs();
  private final IntColumn name = ints();

  Threads(StringPool strings) {
    this.strings = strings;
  }

  int number(long threadId) {
    Integer known = numbers.get(threadId);
    if (known != null) {
      return known;
    }
    int row = newRow();
    numbers.put(threadId, row);
    id.add(threadId);
    name.add(0);
    return row;
  }

  void name(int row, String threadName) {
    name.set(row, strings.number(threadName));
  }

  public long id(int row) {
    return id.get(row);
  }

  /** Its name, or an empty string. */
  public String name(int row) {
    return strings.string(name.get(row));
  }
}
