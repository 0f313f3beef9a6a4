package dev.millrace.host;

import dev.millrace.lifetime.Once;
import dev.millrace.trace.Trace;
import dev.millrace.trace.TraceEvent;
import org.jspecify.annotations.Nullable;

/** A point in a stream's order, reached once: the record of an event, or where somebody waits. */
final class Mark extends Once {
  final HostStream stream;
  final @Nullable HostEvent event;
  final int generation;

  /** Its place in the stream's order, given when it is submitted. */
  long index;

  Mark(HostStream stream, @Nullable HostEvent event, int generation) {
    this.stream = stream;
    this.event = event;
    this.generation = generation;
  }

  void reach() {
    HostEvent recorded = event;
    if (recorded != null && Trace.isOn()) {
      Trace.emit(new TraceEvent.EventCompleted(recorded.traceId(), generation, System.nanoTime()));
    }
    happen();
  }
}
