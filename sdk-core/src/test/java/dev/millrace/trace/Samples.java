package dev.millrace.trace;

import java.util.List;

/** Events for tests, with times of now and ids that differ from field to field. */
final class Samples {
  private Samples() {}

  static TraceEvent.StreamOpened opened(long stream, long atNs) {
    return new TraceEvent.StreamOpened(
        stream, "host:0", 0xffff_8000_0000_1000L, true, TraceEvent.StreamRole.CALLER, atNs);
  }

  static TraceEvent.DeviceWork work(long stream, long index, long beginNs, long endNs) {
    return new TraceEvent.DeviceWork(
        TraceEvent.WorkKind.PROGRAM, "work " + index, 7, stream, index, beginNs, endNs, 9);
  }

  static TraceEvent.DeviceWork node(long stream, long index, long beginNs, long endNs) {
    return new TraceEvent.DeviceWork(
        TraceEvent.WorkKind.NODE, "node", 7, stream, index, beginNs, endNs, 9);
  }

  static TraceEvent.EventWaited waited(
      long stream, long index, long source, long sourceIndex, TraceEvent.Disposition disposition) {
    return new TraceEvent.EventWaited(
        stream, index, 21, 3, source, sourceIndex, disposition, 8, System.nanoTime(), 9);
  }

  static TraceEvent.ApiCall call(String name, long beginNs) {
    return new TraceEvent.ApiCall(
        name, Thread.currentThread().threadId(), beginNs, beginNs + 1234, 1, 2, 3, 4, 5, 6, 7);
  }

  /** One of each kind, all of stream 41 but where two are needed. */
  static List<TraceEvent> oneOfEach() {
    long now = System.nanoTime();
    long thread = Thread.currentThread().threadId();
    return List.of(
        opened(41, now),
        call("record", now + 1),
        work(41, 1, now + 2, now + 1000),
        new TraceEvent.EventRecorded(21, 3, 41, 2, 31, now + 3, 9),
        new TraceEvent.EventCompleted(21, 3, now + 4),
        waited(42, 5, 41, 2, TraceEvent.Disposition.ENQUEUED),
        new TraceEvent.HostSynced(
            thread, now + 5, now + 50, 41, 21, 3, TraceEvent.HostWait.BLOCKED, 9),
        new TraceEvent.RunSubmitted(
            9, "client 1", 17, TraceEvent.Mode.FORK_JOIN, "p", 2, 41, 42, thread, now, now + 6),
        new TraceEvent.RunCompleted(9, now + 7, "it failed"),
        new TraceEvent.StreamBound("rocblas", 42, 41, true, thread, now + 8, 9),
        new TraceEvent.LaneWaited(10, 2, 9, now + 9),
        new TraceEvent.Range("step", "client 1", 17, thread, now + 10, now + 11),
        new TraceEvent.StreamClosed(41, now + 12));
  }
}
