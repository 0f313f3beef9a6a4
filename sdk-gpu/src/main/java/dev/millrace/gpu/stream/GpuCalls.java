package dev.millrace.gpu.stream;

import dev.millrace.trace.Trace;
import dev.millrace.trace.TraceEvent;
import dev.millrace.trace.TraceEvent.Disposition;
import org.jspecify.annotations.Nullable;

/** Tells the trace of the driver's calls of HIP. */
final class GpuCalls {
  private GpuCalls() {}

  /** When the call began; 0 while nobody listens. */
  static long begin() {
    return Trace.isOn() ? System.nanoTime() : 0;
  }

  static void end(String function, long beganNs, long stream) {
    if (beganNs != 0) {
      call(function, beganNs, Trace.nextId(), stream, 0, 0, 0, Trace.currentRun());
    }
  }

  static void submitted(
      String function, long beganNs, long correlation, GpuStream stream, long bytes, long run) {
    if (beganNs != 0) {
      call(function, beganNs, correlation, stream.traceId, 0, 0, bytes, run);
    }
  }

  static void recorded(long beganNs, GpuEvent event, GpuStream stream) {
    if (beganNs == 0) {
      return;
    }
    long correlation = Trace.nextId();
    long run = Trace.currentRun();
    int generation = event.generation();
    Trace.emit(
        new TraceEvent.EventRecorded(
            event.traceId(), generation, stream.traceId, event.index(), correlation, beganNs, run));
    call(
        "hipEventRecord",
        beganNs,
        correlation,
        stream.traceId,
        event.traceId(),
        generation,
        0,
        run);
  }

  static void waited(
      long beganNs,
      GpuStream stream,
      GpuEvent event,
      int generation,
      @Nullable GpuStream source,
      Disposition disposition) {
    if (beganNs == 0) {
      return;
    }
    long correlation = Trace.nextId();
    long run = Trace.currentRun();
    Trace.emit(
        new TraceEvent.EventWaited(
            stream.traceId,
            disposition == Disposition.ENQUEUED ? stream.nextIndex() : -1,
            event.traceId(),
            generation,
            source == null ? 0 : source.traceId,
            source == null ? -1 : event.index(),
            disposition,
            correlation,
            beganNs,
            run));
    call(
        "hipStreamWaitEvent",
        beganNs,
        correlation,
        stream.traceId,
        event.traceId(),
        generation,
        0,
        run);
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
