package dev.millrace.profiler.model;

/** What devices did. */
public final class Operations extends Table {

  /** What kind of work an operation is. */
  public enum Kind {
    PROGRAM,
    /** A part of a program; the program's own operation covers its time. */
    NODE,
    COPY,
    HOST_FUNCTION
  }

  /**
   * One operation.
   *
   * @param correlation the same as that of the call which launched it, or 0
   * @param stream row in {@link Streams}
   * @param index place in the stream's submission order
   * @param run the id of its run, or 0
   */
  public record Row(
      Kind kind,
      String name,
      long correlation,
      int stream,
      long index,
      long beginNs,
      long endNs,
      long run) {}

  private final StringPool strings;
  private final EnumColumn<Kind> kind = words(Kind.values());
  private final IntColumn name = ints();
  private final LongColumn correlation = longs();
  private final IntColumn stream = ints();
  private final LongColumn index = longs();
  private final LongColumn beginNs = longs();
  private final LongColumn endNs = longs();
  private final LongColumn run = longs();

  Operations(StringPool strings) {
    this.strings = strings;
  }

  void add(Row row) {
    newRow();
    kind.add(row.kind());
    name.add(strings.number(row.name()));
    correlation.add(row.correlation());
    stream.add(row.stream());
    index.add(row.index());
    beginNs.add(row.beginNs());
    endNs.add(row.endNs());
    run.add(row.run());
  }

  public Kind kind(int row) {
    return kind.get(row);
  }

  public String name(int row) {
    return strings.string(name.get(row));
  }

  public long correlation(int row) {
    return correlation.get(row);
  }

  public int stream(int row) {
    return stream.get(row);
  }

  public long index(int row) {
    return index.get(row);
  }

  public long beginNs(int row) {
    return beginNs.get(row);
  }

  public long endNs(int row) {
    return endNs.get(row);
  }

  public long run(int row) {
    return run.get(row);
  }
}
