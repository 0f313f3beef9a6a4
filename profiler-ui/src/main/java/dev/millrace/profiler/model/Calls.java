package dev.millrace.profiler.model;

/** Calls of a device's runtime on host threads. */
public final class Calls extends Table {

  /**
   * One call.
   *
   * @param thread row in {@link Threads}
   * @param correlation the same as that of what it launched, or 0
   * @param result the library's error number; 0 is success
   * @param stream row in {@link Streams}, or {@link Streams#NONE}
   * @param event 0 for none
   * @param generation of the event
   * @param bytes 0 where it moves none
   * @param run the id of its run, or 0
   */
  public record Row(
      String name,
      int thread,
      long beginNs,
      long endNs,
      long correlation,
      int result,
      int stream,
      long event,
      long generation,
      long bytes,
      long run) {}

  private final StringPool strings;
  private final IntColumn name = ints();
  private final IntColumn thread = ints();
  private final LongColumn beginNs = longs();
  private final LongColumn endNs = longs();
  private final LongColumn correlation = longs();
  private final IntColumn result = ints();
  private final IntColumn stream = ints();
  private final LongColumn event = longs();
  private final LongColumn generation = longs();
  private final LongColumn bytes = longs();
  private final LongColumn run = longs();

  Calls(StringPool strings) {
    this.strings = strings;
  }

  void add(Row row) {
    newRow();
    name.add(strings.number(row.name()));
    thread.add(row.thread());
    beginNs.add(row.beginNs());
    endNs.add(row.endNs());
    correlation.add(row.correlation());
    result.add(row.result());
    stream.add(row.stream());
    event.add(row.event());
    generation.add(row.generation());
    bytes.add(row.bytes());
    run.add(row.run());
  }

  public String name(int row) {
    return strings.string(name.get(row));
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

  public long correlation(int row) {
    return correlation.get(row);
  }

  public int result(int row) {
    return result.get(row);
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

  public long bytes(int row) {
    return bytes.get(row);
  }

  public long run(int row) {
    return run.get(row);
  }
}
