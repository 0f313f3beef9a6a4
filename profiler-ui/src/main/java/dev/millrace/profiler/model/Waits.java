package dev.millrace.profiler.model;

/** Streams told to wait for records of events. */
public final class Waits extends Table {

  /** What became of a wait at the moment it was asked for. */
  public enum Disposition {
    /** The stream is held until the record is done. */
    ENQUEUED,
    /** The record was done already. */
    COMPLETE,
    /** Record and wait are of one stream, whose order satisfies the wait. */
    SAME_STREAM,
    /** The event had never been recorded. */
    NEVER_RECORDED
  }

  /**
   * One wait.
   *
   * @param stream row in {@link Streams} of the stream that waits
   * @param index place in that stream's submission order
   * @param generation the record that was the latest at the call
   * @param sourceStream row in {@link Streams} of the record, or {@link Streams#NONE}
   * @param sourceIndex the record's place in that stream's submission order
   * @param correlation the same as that of the call, or 0
   * @param atNs when it was submitted
   * @param run the id of its run, or 0
   */
  public record Row(
      int stream,
      long index,
      long event,
      long generation,
      int sourceStream,
      long sourceIndex,
      Disposition disposition,
      long correlation,
      long atNs,
      long run) {}

  private final IntColumn stream = ints();
  private final LongColumn index = longs();
  private final LongColumn event = longs();
  private final LongColumn generation = longs();
  private final IntColumn sourceStream = ints();
  private final LongColumn sourceIndex = longs();
  private final EnumColumn<Disposition> disposition = words(Disposition.values());
  private final LongColumn correlation = longs();
  private final LongColumn atNs = longs();
  private final LongColumn run = longs();

  void add(Row row) {
    newRow();
    stream.add(row.stream());
    index.add(row.index());
    event.add(row.event());
    generation.add(row.generation());
    sourceStream.add(row.sourceStream());
    sourceIndex.add(row.sourceIndex());
    disposition.add(row.disposition());
    correlation.add(row.correlation());
    atNs.add(row.atNs());
    run.add(row.run());
  }

  public int stream(int row) {
    return stream.get(row);
  }

  public long index(int row) {
    return index.get(row);
  }

  public long event(int row) {
    return event.get(row);
  }

  public long generation(int row) {
    return generation.get(row);
  }

  public int sourceStream(int row) {
    return sourceStream.get(row);
  }

  public long sourceIndex(int row) {
    return sourceIndex.get(row);
  }

  public Disposition disposition(int row) {
    return disposition.get(row);
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
}
