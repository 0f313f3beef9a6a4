package dev.millrace.profiler.model;

/** Participants pointed from one stream to another. */
public final class Bindings extends Table {

  /**
   * One change of a participant's stream.
   *
   * @param from row in {@link Streams}, or {@link Streams#NONE}
   * @param to row in {@link Streams}, or {@link Streams#NONE}
   * @param restore whether it was put back
   * @param thread row in {@link Threads}
   * @param run the id of its run, or 0
   */
  public record Row(
      String participant, int from, int to, boolean restore, int thread, long atNs, long run) {}

  private final StringPool strings;
  private final IntColumn participant = ints();
  private final IntColumn from = ints();
  private final IntColumn to = ints();
  private final IntColumn restore = ints();
  private final IntColumn thread = ints();
  private final LongColumn atNs = longs();
  private final LongColumn run = longs();

  Bindings(StringPool strings) {
    this.strings = strings;
  }

  void add(Row row) {
    newRow();
    participant.add(strings.number(row.participant()));
    from.add(row.from());
    to.add(row.to());
    restore.add(row.restore() ? 1 : 0);
    thread.add(row.thread());
    atNs.add(row.atNs());
    run.add(row.run());
  }

  public String participant(int row) {
    return strings.string(participant.get(row));
  }

  public int from(int row) {
    return from.get(row);
  }

  public int to(int row) {
    return to.get(row);
  }

  public boolean isRestore(int row) {
    return restore.get(row) != 0;
  }

  public int thread(int row) {
    return thread.get(row);
  }

  public long atNs(int row) {
    return atNs.get(row);
  }

  public long run(int row) {
    return run.get(row);
  }
}
