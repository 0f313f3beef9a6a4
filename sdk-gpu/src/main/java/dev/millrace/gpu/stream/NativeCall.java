package dev.millrace.gpu.stream;

import dev.millrace.trace.Trace;
import dev.millrace.trace.TraceEvent;

/**
 * Tells the trace of a call; when the device did its work only a recorder of the device can say.
 */
public final class NativeCall {
  private NativeCall() {}

  /**
   * When the call began.
   *
   * @return for {@link #end}; 0 while nobody listens
   */
  public static long begin() {
    return Trace.isOn() ? System.nanoTime() : 0;
  }

  /**
   * Tells of a call that has returned.
   *
   * @param function its name
   * @param beganNs what {@link #begin} gave
   * @param stream the id under which the trace knows the stream
   */
  public static void end(String function, long beganNs, long stream) {
    if (beganNs == 0) {
      return;
    }
    Trace.emit(
        new TraceEvent.ApiCall(
            function,
            Thread.currentThread().threadId(),
            beganNs,
            System.nanoTime(),
            Trace.nextId(),
            0,
            stream,
            0,
            0,
            0,
            Trace.currentRun()));
  }
}
