package dev.millrace.trace;

import java.io.IOException;
import java.util.Map;

/** Writes each event as the row that {@code docs/trace-format.md} describes. One thread. */
final class EventRows {
  /** Virtual threads come and go: what is forgotten is named again. */
  private static final int THREADS_REMEMBERED = 4096;

  private final RowWriter rows;
  private final long process;
  private final StreamTracks streams;
  private final Arrows arrows;
  private final KindCounts written = new KindCounts();
  private final Map<Long, String> threadNames = new StreamTracks.Recent<>(THREADS_REMEMBERED);

  EventRows(RowWriter rows, long process) {
    this.rows = rows;
    this.process = process;
    this.streams = new StreamTracks(rows, new Track(process, 0));
    this.arrows = new Arrows(rows, streams);
  }

  KindCounts written() {
    return written;
  }

  long arrows() {
    return arrows.count();
  }

  /**
   * Writes the event, and whatever has to stand before or can be said after it.
   *
   * @param speaker the thread that said it
   */
  void write(TraceEvent event, Thread speaker) throws IOException {
    if (event instanceof TraceEvent.StreamOpened opened && !streams.add(opened)) {
      return; // Opened while the session began: it was in the list of open streams too.
    }
    nameThread(speaker);
    row(event, new Track(process, speaker.threadId()));
    written.add(event);
    switch (event) {
      case TraceEvent.EventWaited wait -> arrows.waited(wait);
      case TraceEvent.DeviceWork work -> arrows.worked(work);
      default -> {}
    }
  }

  private void nameThread(Thread thread) throws IOException {
    String name = thread.getName();
    if (!name.isEmpty() && !name.equals(threadNames.put(thread.threadId(), name))) {
      rows.meta("thread_name", new Track(process, thread.threadId()), System.nanoTime())
          .text("name", name)
          .end();
    }
  }

  private Track thread(long thread) {
    return new Track(process, thread);
  }

  private void row(TraceEvent event, Track here) throws IOException {
    switch (event) {
      case TraceEvent.StreamOpened e -> streamOpened(e, here);
      case TraceEvent.StreamClosed e ->
          instant(e, "stream closed", here, e.atNs()).number("stream", e.stream());
      case TraceEvent.ApiCall e -> apiCall(e);
      case TraceEvent.DeviceWork e -> deviceWork(e);
      case TraceEvent.EventRecorded e -> eventRecorded(e, here);
      case TraceEvent.EventCompleted e ->
          instant(e, "event completed", here, e.atNs())
              .number("event", e.event())
              .number("generation", e.generation());
      case TraceEvent.EventWaited e -> eventWaited(e, here);
      case TraceEvent.HostSynced e -> hostSynced(e);
      case TraceEvent.RunSubmitted e -> runSubmitted(e);
      case TraceEvent.RunCompleted e ->
          instant(e, "run completed", here, e.atNs())
              .number("run", e.run())
              .text("failure", e.failure());
      case TraceEvent.StreamBound e -> streamBound(e);
      case TraceEvent.LaneWaited e ->
          instant(e, "lane waited", here, e.atNs())
              .number("run", e.run())
              .number("lane", e.lane())
              .number("waitedForRun", e.waitedForRun());
      case TraceEvent.Range e -> range(e);
    }
    rows.end();
  }

  private RowWriter instant(TraceEvent event, String name, Track track, long atNs)
      throws IOException {
    return rows.instant(KindCounts.nameOf(event), name, track, atNs).time("atNs", atNs);
  }

  private RowWriter slice(TraceEvent event, String name, Track track, long beginNs, long endNs)
      throws IOException {
    return rows.slice(KindCounts.nameOf(event), name, track, beginNs, endNs)
        .time("beginNs", beginNs)
        .time("endNs", endNs);
  }

  private void streamOpened(TraceEvent.StreamOpened e, Track here) throws IOException {
    instant(e, "stream opened", here, e.atNs())
        .number("stream", e.stream())
        .text("device", e.device())
        .text("address", "0x" + Long.toHexString(e.address()))
        .bool("blocking", e.blocking())
        .text("role", e.role().name());
  }

  private void apiCall(TraceEvent.ApiCall e) throws IOException {
    slice(e, e.name(), thread(e.thread()), e.beginNs(), e.endNs())
        .number("thread", e.thread())
        .number("correlation", e.correlation())
        .number("result", e.result())
        .number("stream", e.stream())
        .number("event", e.event())
        .number("generation", e.generation())
        .number("bytes", e.bytes())
        .number("run", e.run());
  }

  private void deviceWork(TraceEvent.DeviceWork e) throws IOException {
    Track stream = streams.get(e.stream(), e.beginNs()).track();
    slice(e, e.name(), stream, e.beginNs(), e.endNs())
        .text("kind", e.kind().name())
        .number("correlation", e.correlation())
        .number("stream", e.stream())
        .number("index", e.index())
        .number("run", e.run());
  }

  private void eventRecorded(TraceEvent.EventRecorded e, Track here) throws IOException {
    instant(e, "event recorded", here, e.atNs())
        .number("event", e.event())
        .number("generation", e.generation())
        .number("stream", e.stream())
        .number("index", e.index())
        .number("correlation", e.correlation())
        .number("run", e.run());
  }

  private void eventWaited(TraceEvent.EventWaited e, Track here) throws IOException {
    instant(e, "event waited", here, e.atNs())
        .number("stream", e.stream())
        .number("index", e.index())
        .number("event", e.event())
        .number("generation", e.generation())
        .number("sourceStream", e.sourceStream())
        .number("sourceIndex", e.sourceIndex())
        .text("disposition", e.disposition().name())
        .number("correlation", e.correlation())
        .number("run", e.run());
  }

  private void hostSynced(TraceEvent.HostSynced e) throws IOException {
    String name = e.event() != 0 ? "sync event " + e.event() : "sync stream " + e.stream();
    slice(e, name, thread(e.thread()), e.beginNs(), e.endNs())
        .number("thread", e.thread())
        .number("stream", e.stream())
        .number("event", e.event())
        .number("generation", e.generation())
        .text("how", e.how().name())
        .number("run", e.run());
  }

  private void runSubmitted(TraceEvent.RunSubmitted e) throws IOException {
    slice(e, "submit " + e.program(), thread(e.thread()), e.beginNs(), e.endNs())
        .number("run", e.run())
        .text("caller", e.caller())
        .number("iteration", e.iteration())
        .text("mode", e.mode().name())
        .text("program", e.program())
        .number("lane", e.lane())
        .number("homeStream", e.homeStream())
        .number("ownStream", e.ownStream())
        .number("thread", e.thread());
  }

  private void streamBound(TraceEvent.StreamBound e) throws IOException {
    String name = (e.restore() ? "restore " : "bind ") + e.participant();
    instant(e, name, thread(e.thread()), e.atNs())
        .text("participant", e.participant())
        .number("from", e.from())
        .number("to", e.to())
        .bool("restore", e.restore())
        .number("thread", e.thread())
        .number("run", e.run());
  }

  private void range(TraceEvent.Range e) throws IOException {
    slice(e, e.name(), thread(e.thread()), e.beginNs(), e.endNs())
        .text("caller", e.caller())
        .number("iteration", e.iteration())
        .number("thread", e.thread());
  }
}
