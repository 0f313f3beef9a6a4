package dev.millrace.profiler.model;

import java.util.HashMap;
import java.util.Map;

/** Runs of programs. */
public final class Runs extends Table {

  /** Where a run's work was enqueued. */
  public enum Mode {
    EXTERNAL,
    FORK_JOIN
  }

  /** Stands for no run. */
  public static final int NONE = -1;

  private final Map<Long, Integer> rows = new HashMap<>();

  /**
   * One submitted run.
   *
   * @param run its id
   * @param homeStream row in {@link Streams} of the caller's stream
   * @param ownStream row in {@link Streams} of the program's stream, or {@link Streams#NONE}
   * @param thread row in {@link Threads}
   * @param beginNs of the submission
   * @param endNs of the submission
   */
  public record Row(
      long run,
      String caller,
      long iteration,
      Mode mode,
      String program,
      int lane,
      int homeStream,
      int ownStream,
      int thread,
      long beginNs,
      long endNs) {}

  private final StringPool strings;
  private final LongColumn run = longs();
  private final IntColumn caller = ints();
  private final LongColumn iteration = longs();
  private final EnumColumn<Mode> mode = words(Mode.values());
  private final IntColumn program = ints();
  private final IntColumn lane = ints();
  private final IntColumn homeStream = ints();
  private final IntColumn ownStream = ints();
  private final IntColumn thread = ints();
  private final LongColumn beginNs = longs();
  private final LongColumn endNs = longs();
  private final LongColumn completedNs = longs();
  private final IntColumn failure = ints();

  Runs(StringPool strings) {
    this.strings = strings;
  }

  void add(Row row) {
    newRow();
    run.add(row.run());
    caller.add(strings.number(row.caller()));
    iteration.add(row.iteration());
    mode.add(row.mode());
    program.add(strings.number(row.program()));
    lane.add(row.lane());
    homeStream.add(row.homeStream());
    ownStream.add(row.ownStream());
    thread.add(row.thread());
    beginNs.add(row.beginNs());
    endNs.add(row.endNs());
    completedNs.add(TraceModel.UNKNOWN_TIME);
    failure.add(0);
    rows.put(row.run(), size() - 1);
  }

  public long run(int row) {
    return run.get(row);
  }

  public String caller(int row) {
    return strings.string(caller.get(row));
  }

  public long iteration(int row) {
    return iteration.get(row);
  }

  public Mode mode(int row) {
    return mode.get(row);
  }

  public String program(int row) {
    return strings.string(program.get(row));
  }

  public int lane(int row) {
    return lane.get(row);
  }

  public int homeStream(int row) {
    return homeStream.get(row);
  }

  public int ownStream(int row) {
    return ownStream.get(row);
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

  void complete(int row, long atNs, String why) {
    completedNs.set(row, atNs);
    failure.set(row, strings.number(why));
  }

  /** The row of the run with this id, or {@link #NONE}. */
  public int rowOf(long runId) {
    return rows.getOrDefault(runId, NONE);
  }

  /** When all its work was done, or {@link TraceModel#UNKNOWN_TIME}. */
  public long completedNs(int row) {
    return completedNs.get(row);
  }

  /** Why it failed; empty when it did not. */
  public String failure(int row) {
    return strings.string(failure.get(row));
  }
}
