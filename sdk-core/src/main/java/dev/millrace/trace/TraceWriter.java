package dev.millrace.trace;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Moves events from the buffer to the file until it is told to stop, or the file fails. */
final class TraceWriter {
  private static final long FLUSH_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);

  private final OutputStream out;
  private final EventBuffer buffer;
  private final long baseNs = System.nanoTime();
  private final long process = ProcessHandle.current().pid();
  private final Track about = new Track(process, 0);
  private long lossSaid;
  private volatile boolean stopping;

  TraceWriter(OutputStream out, EventBuffer buffer) {
    this.out = out;
    this.buffer = buffer;
  }

  /** Asks {@link #write} to take what is in the buffer, write the footer and return. */
  void stop() {
    stopping = true;
  }

  /**
   * Writes the whole file, and closes it.
   *
   * @param open the streams that were open when the session began
   * @param starter the thread that began it
   */
  void write(List<TraceEvent.StreamOpened> open, Thread starter) throws IOException {
    try (out) {
      RowWriter rows = new RowWriter(out, baseNs);
      EventRows events = new EventRows(rows, process);
      header(rows);
      for (TraceEvent.StreamOpened stream : open) {
        events.write(stream, starter);
      }
      while (!stopping) {
        rows.flush();
        drain(events, System.nanoTime() + FLUSH_NS);
        clock(rows, "tick");
        loss(rows);
      }
      drainAll(events);
      footer(rows, events);
      rows.close();
    }
  }

  private void drain(EventRows events, long deadline) throws IOException {
    while (!stopping && System.nanoTime() - deadline < 0) {
      EventBuffer.Entry entry = buffer.poll();
      if (entry != null) {
        events.write(entry.event(), entry.speaker());
      } else {
        LockSupport.parkNanos(this, PAUSE_NS);
      }
    }
  }

  private void drainAll(EventRows events) throws IOException {
    for (EventBuffer.Entry entry = buffer.poll(); entry != null; entry = buffer.poll()) {
      events.write(entry.event(), entry.speaker());
    }
  }

  private void header(RowWriter rows) throws IOException {
    rows.meta("millrace.header", about, baseNs)
        .text("format", "millrace-trace")
        .number("version", 1)
        .text("recorder", "sdk")
        .number("process", process)
        .text("java", Runtime.version().toString())
        .text("os", operatingSystem())
        .text("clock", "System.nanoTime")
        .number("baseNs", baseNs)
        .number("bufferEvents", buffer.capacity())
        .texts("kinds", KindCounts.names())
        .end();
    clock(rows, "start");
    rows.meta("process_name", about, baseNs).text("name", "java " + process).end();
  }

  private static String operatingSystem() {
    return "%s %s %s"
        .formatted(
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            System.getProperty("os.arch"));
  }

  private void clock(RowWriter rows, String when) throws IOException {
    ClockReading reading = ClockReading.take();
    rows.meta("millrace.clock", about, reading.atNs())
        .text("when", when)
        .time("atNs", reading.atNs())
        .number("wallNs", reading.wallNs())
        .number("errorNs", reading.errorNs())
        .end();
  }

  private void loss(RowWriter rows) throws IOException {
    long total = buffer.dropped().total();
    if (total != lossSaid) {
      lossSaid = total;
      long now = System.nanoTime();
      rows.meta("millrace.loss", about, now)
          .time("atNs", now)
          .numbers("dropped", buffer.dropped().byName())
          .end();
    }
  }

  private void footer(RowWriter rows, EventRows events) throws IOException {
    loss(rows);
    clock(rows, "end");
    long now = System.nanoTime();
    rows.meta("millrace.footer", about, now)
        .time("atNs", now)
        .numbers("rows", events.written().byName())
        .numbers("dropped", buffer.dropped().byName())
        .number("flows", events.arrows())
        .number("lastId", Trace.lastId())
        .endArray();
  }
}
