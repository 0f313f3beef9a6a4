package dev.millrace.profiler.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes the rows of one trace, in any order, and makes the model of them. Streams and threads are
 * numbered as they are first named.
 */
public final class TraceModelBuilder {
  private record EventRecord(long event, long generation) {}

  private record Completion(long atNs, String failure) {}

  private final StringPool strings = new StringPool();
  final Streams streams = new Streams(strings);
  final Threads threads = new Threads(strings);
  final Operations operations = new Operations(strings);
  final Calls calls = new Calls(strings);
  final Records records = new Records();
  final Waits waits = new Waits();
  final HostSyncs hostSyncs = new HostSyncs();
  final Runs runs = new Runs(strings);
  final Ranges ranges = new Ranges(strings);
  final Bindings bindings = new Bindings(strings);
  final LaneWaits laneWaits = new LaneWaits();

  private final Map<EventRecord, Long> recordCompletions = new HashMap<>();
  private final Map<Long, Completion> runCompletions = new HashMap<>();

  /** The row of the stream with this id; {@link Streams#NONE} for id 0. */
  public int stream(long id) {
    return streams.number(id);
  }

  /** The row of the thread with this id. */
  public int thread(long id) {
    return threads.number(id);
  }

  public void nameThread(int thread, String name) {
    threads.name(thread, name);
  }

  public void openStream(
      int stream, String device, long address, boolean blocking, Streams.Role role, long atNs) {
    streams.open(stream, device, address, blocking, role, atNs);
  }

  public void closeStream(int stream, long atNs) {
    streams.close(stream, atNs);
  }

  public void add(Operations.Row row) {
    operations.add(row);
  }

  public void add(Calls.Row row) {
    calls.add(row);
  }

  public void add(Records.Row row) {
    records.add(row);
  }

  public void add(Waits.Row row) {
    waits.add(row);
  }

  public void add(HostSyncs.Row row) {
    hostSyncs.add(row);
  }

  public void add(Runs.Row row) {
    runs.add(row);
  }

  public void add(Ranges.Row row) {
    ranges.add(row);
  }

  public void add(Bindings.Row row) {
    bindings.add(row);
  }

  public void add(LaneWaits.Row row) {
    laneWaits.add(row);
  }

  /** Says when a stream reached a record. */
  public void completeRecord(long event, long generation, long atNs) {
    recordCompletions.put(new EventRecord(event, generation), atNs);
  }

  /** Says when a run was done; {@code failure} is empty when it succeeded. */
  public void completeRun(long run, long atNs, String failure) {
    runCompletions.put(run, new Completion(atNs, failure));
  }

  /** The model. Nothing can be added afterwards. */
  public TraceModel build() {
    for (int row = 0; row < records.size(); row++) {
      Long atNs =
          recordCompletions.get(new EventRecord(records.event(row), records.generation(row)));
      if (atNs != null) {
        records.complete(row, atNs);
      }
    }
    for (int row = 0; row < runs.size(); row++) {
      Completion completion = runCompletions.get(runs.run(row));
      if (completion != null) {
        runs.complete(row, completion.atNs(), completion.failure());
      }
    }
    List.of(
            streams,
            threads,
            operations,
            calls,
            records,
            waits,
            hostSyncs,
            runs,
            ranges,
            bindings,
            laneWaits)
        .forEach(Table::seal);
    return new TraceModel(this);
  }
}
