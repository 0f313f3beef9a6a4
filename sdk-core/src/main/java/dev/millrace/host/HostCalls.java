package dev.millrace.host;

import dev.millrace.trace.Trace;
import dev.millrace.trace.TraceEvent;
import dev.millrace.trace.TraceEvent.Disposition;
import org.jspecify.annotations.Nullable;

/** Tells the trace of the host driver's calls, as a tracer of a GPU's runtime would. */
final class HostCalls {
  private HostCalls() {}

  /** When the call began; 0 while nobody listens. */
  static long begin() {
    return Trace.isOn() ? System.nanoTime() : 0;
  }

  static void end(String function, long beganNs, long stream) {
    if (beganNs != 0) {
      submitted(function, beganNs, Trace.nextId(), stream, 0, Trace.currentRun());
    }
  }

  static void submitted(
      String function, long beganNs, long correlation, long stream, long bytes, long run) {
    call(function, beganNs, correlation, stream, 0, 0, bytes, run);
  }

  static void recorded(long beganNs, Mark mark) {
    HostEvent event = mark.event;
    if (beganNs == 0 || event == null) {
      return;
    }
    long correlation = Trace.nextId();
    long stream = mark.stream.traceId();
    long run = Trace.currentRun();
    Trace.emit(
        new TraceEvent.EventRecorded(
            event.traceId(), mark.generation, stream, mark.index, correlation, beganNs, run));
    call("recordEvent", beganNs, correlation, stream, event.traceId(), mark.generation, 0, run);
  }

  static void waited(
      long beganNs,
      HostStream stream,
      long index,
      HostEvent event,
      @Nullable Mark mark,
      Disposition disposition) {
    if (beganNs == 0) {
      return;
    }
    long correlation = Trace.nextId();
    long run = Trace.currentRun();
    int generation = mark == null ? 0 : mark.generation;
    Trace.emit(
        new TraceEvent.EventWaited(
            stream.traceId(),
            index,
            event.traceId(),
            generation,
            mark == null ? 0 : mark.stream.traceId(),
            mark == null ? -1 : mark.index,
            disposition,
            correlation,
            beganNs,
            run));
    call("waitEvent", beganNs, correlation, stream.traceId(), event.traceId(), generation, 0, run);
  }

  private static void call(
      String function,
      long beganNs,
      long correlation,
      long stream,
      long event,
      long generation,
      long bytes,
      long run) {
    Trace.emit(
        new TraceEvent.ApiCall(
            function,
            Thread.currentThread().threadId(),
            beganNs,
            System.nanoTime(),
            correlation,
            0,
            stream,
            event,
            generation,
            bytes,
            run));
  }
}
