package dev.millrace.profiler.model;

/** Events recorded on streams. */
public final class Records extends Table {

  /**
   * One record.
   *
   * @param generation counts the records of that event
   * @param stream row in {@link Streams}
   * @param index place in the stream's submission order
   * @param correlation the same as that of the call, or 0
   * @param atNs when it was submitted
   * @param run the id of its run, or 0
   */
  public record Row(
      long event, long generation, int stream, long index, long correlation, long atNs, long run) {}

  private final LongColumn event = longs();
  private final LongColumn generation = longs();
  private final IntColumn stream = ints();
  private final LongColumn index = longs();
  private final LongColumn correlation = longs();
  private final LongColumn atNs = longs();
  private final LongColumn run = longs();
  private final LongColumn completedNs = longs();

  void add(Row row) {
    newRow();
    event.add(row.event());
    generation.add(row.generation());
    stream.add(row.stream());
    index.add(row.index());
    correlation.add(row.correlation());
    atNs.add(row.atNs());
    run.add(row.run());
    completedNs.add(TraceModel.UNKNOWN_TIME);
  }

  public long event(int row) {
    return event.get(row);
  }

  public long generation(int row) {
    return generation.get(row);
  }

  public int stream(int row) {
    return stream.get(row);
  }

  public long index(int row) {
    return index.get(row);
  }

  public long correlation(int row) {
    return correlation.get(row);
  }

  public long atNs(int row) {
    return atNs.get(row);
  }

  public long run(int row) {
    return run.get(row);
  }

  void complete(int row, long atNs) {
    completedNs.set(row, atNs);
  }

  /** When the stream reached it, or {@link TraceModel#UNKNOWN_TIME}. */
  public long completedNs(int row) {
    return completedNs.get(row);
  }
}
