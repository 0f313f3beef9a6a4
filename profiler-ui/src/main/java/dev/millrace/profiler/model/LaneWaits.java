package dev.millrace.profiler.model;

/** Runs ordered behind another because their lane was taken. */
public final class LaneWaits extends Table {

  /** One run that had to queue. */
  public record Row(long run, int lane, long waitedForRun, long atNs) {}

  private final LongColumn run = longs();
  private final IntColumn lane = ints();
  private final LongColumn waitedForRun = longs();
  private final LongColumn atNs = longs();

  void add(Row row) {
    newRow();
    run.add(row.run());
    lane.add(row.lane());
    waitedForRun.add(row.waitedForRun());
    atNs.add(row.atNs());
  }

  public long run(int row) {
    return run.get(row);
  }

  public int lane(int row) {
    return lane.get(row);
  }

  public long waitedForRun(int row) {
    return waitedForRun.get(row);
  }

  public long atNs(int row) {
    return atNs.get(row);
  }
}
