package dev.millrace.profiler.model;

/** Host threads that waited for a device. */
public final class HostSyncs extends Table {

  /** How a host thread waited. */
  public enum How {
    BLOCKED,
    /** It ran the work itself. */
    INLINE
  }

  /**
   * One wait of a host thread.
   *
   * @param thread row in {@link Threads}
   * @param stream row in {@link Streams} of the stream waited for, or {@link Streams#NONE}
   * @param event waited for instead of the whole stream, or 0
   * @param generation of that event
   * @param run the id of its run, or 0
   */
  public record Row(
      int thread,
      long beginNs,
      long endNs,
      int stream,
      long event,
      long generation,
      How how,
      long run) {}

  private final IntColumn thread = ints();
  private final LongColumn beginNs = longs();
  private final LongColumn endNs = longs();
  private final IntColumn stream = ints();
  private final LongColumn event = longs();
  private final LongColumn generation = longs();
  private final EnumColumn<How> how = words(How.values());
  private final LongColumn run = longs();

  void add(Row row) {
    newRow();
    thread.add(row.thread());
    beginNs.add(row.beginNs());
    endNs.add(row.endNs());
    stream.add(row.stream());
    event.add(row.event());
    generation.add(row.generation());
    how.add(row.how());
    run.add(row.run());
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

  public int stream(int row) {
    return stream.get(row);
  }

  public long event(int row) {
    return event.get(row);
  }

  public long generation(int row) {
    return generation.get(row);
  }

  public How how(int row) {
    return how.get(row);
  }

  public long run(int row) {
    return run.get(row);
  }
}
