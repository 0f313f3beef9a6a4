package dev.millrace.profiler.model;

/** Named spans of host threads. */
public final class Ranges extends Table {

  /**
   * One range.
   *
   * @param caller for whom the thread worked
   * @param thread row in {@link Threads}
   */
  public record Row(
      String name, String caller, long iteration, int thread, long beginNs, long endNs) {}

  private final StringPool strings;
  private final IntColumn name = ints();
  private final IntColumn caller = ints();
  private final LongColumn iteration = longs();
  private final IntColumn thread = ints();
  private final LongColumn beginNs = longs();
  private final LongColumn endNs = longs();

  Ranges(StringPool strings) {
    this.strings = strings;
  }

  void add(Row row) {
    newRow();
    name.add(strings.number(row.name()));
    caller.add(strings.number(row.caller()));
    iteration.add(row.iteration());
    thread.add(row.thread());
    beginNs.add(row.beginNs());
    endNs.add(row.endNs());
  }

  public String name(int row) {
    return strings.string(name.get(row));
  }

  public String caller(int row) {
    return strings.string(caller.get(row));
  }

  public long iteration(int row) {
    return iteration.get(row);
  }

  public int thread(int row) {
    return thread.get(row);
  }

  public long beginNs(int row) {
    return beginNs.get(row);
  }

  public long endNs(int row) {
    return endNs.get(row);
  }
}
