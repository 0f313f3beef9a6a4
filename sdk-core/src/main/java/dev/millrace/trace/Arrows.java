package dev.millrace.trace;

import java.io.IOException;

/** Draws who waited for whom: from the work before a record to the work behind a wait. */
final class Arrows {
  private final RowWriter rows;
  private final StreamTracks streams;
  private long count;

  Arrows(RowWriter rows, StreamTracks streams) {
    this.rows = rows;
    this.streams = streams;
  }

  long count() {
    return count;
  }

  void waited(TraceEvent.EventWaited wait) throws IOException {
    if (wait.disposition() != TraceEvent.Disposition.ENQUEUED) {
      return;
    }
    StreamHistory waiting = streams.get(wait.stream(), wait.atNs());
    // Said late: another thread's work behind the wait has ended already.
    TraceEvent.DeviceWork released = waiting.firstAfter(wait.index());
    if (released == null) {
      waiting.add(wait);
    } else {
      draw(wait, released);
    }
  }

  void worked(TraceEvent.DeviceWork work) throws IOException {
    if (work.kind() == TraceEvent.WorkKind.NODE) {
      return;
    }
    StreamHistory stream = streams.get(work.stream(), work.beginNs());
    for (TraceEvent.EventWaited wait : stream.takeWaitsBefore(work)) {
      draw(wait, work);
    }
    stream.add(work);
  }

  private void draw(TraceEvent.EventWaited wait, TraceEvent.DeviceWork released)
      throws IOException {
    StreamHistory source = streams.get(wait.sourceStream(), wait.atNs());
    TraceEvent.DeviceWork producer = source.lastBefore(wait.sourceIndex());
    if (producer != null) {
      end(wait, producer, true);
      end(wait, released, false);
      count++;
    }
  }

  /** A nanosecond inside the slice, so that no viewer binds it to a neighbour. */
  private void end(TraceEvent.EventWaited wait, TraceEvent.DeviceWork work, boolean start)
      throws IOException {
    long atNs =
        start
            ? Math.max(work.beginNs(), work.endNs() - 1)
            : Math.min(work.endNs(), work.beginNs() + 1);
    rows.arrow(start, count + 1, streams.get(work.stream(), atNs).track(), atNs)
        .number("event", wait.event())
        .number("generation", wait.generation())
        .number("sourceStream", wait.sourceStream())
        .number("sourceIndex", wait.sourceIndex())
        .number("stream", wait.stream())
        .number("index", wait.index())
        .end();
  }
}
