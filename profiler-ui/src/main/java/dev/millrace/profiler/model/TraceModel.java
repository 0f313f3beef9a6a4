package dev.millrace.profiler.model;

/** One trace, complete and unchanging. All times are nanoseconds of the trace's clock. */
public final class TraceModel {

  /** Stands for a time that the trace does not tell. */
  public static final long UNKNOWN_TIME = Long.MIN_VALUE;

  private final Streams streams;
  private final Threads threads;
  private final Operations operations;
  private final Calls calls;
  private final Records records;
  private final Waits waits;
  private final HostSyncs hostSyncs;
  private final Runs runs;
  private final Ranges ranges;
  private final Bindings bindings;
  private final LaneWaits laneWaits;

  TraceModel(TraceModelBuilder built) {
    streams = built.streams;
    threads = built.threads;
    operations = built.operations;
    calls = built.calls;
    records = built.records;
    waits = built.waits;
    hostSyncs = built.hostSyncs;
    runs = built.runs;
    ranges = built.ranges;
    bindings = built.bindings;
    laneWaits = built.laneWaits;
  }

  public Streams streams() {
    return streams;
  }

  public Threads threads() {
    return threads;
  }

  public Operations operations() {
    return operations;
  }

  public Calls calls() {
    return calls;
  }

  public Records records() {
    return records;
  }

  public Waits waits() {
    return waits;
  }

  public HostSyncs hostSyncs() {
    return hostSyncs;
  }

  public Runs runs() {
    return runs;
  }

  public Ranges ranges() {
    return ranges;
  }

  public Bindings bindings() {
    return bindings;
  }

  public LaneWaits laneWaits() {
    return laneWaits;
  }
}
