package dev.millrace.gpu.stream;

import dev.millrace.error.DeviceException;
import dev.millrace.gpu.ffi.HipStreams;
import dev.millrace.spi.StreamState;
import org.jspecify.annotations.Nullable;

/** Says what a stream is at, as far as the driver can know: HIP itself does not tell. */
final class StreamStates {
  private StreamStates() {}

  /** Null if the stream has nothing to do; the device is current. */
  static @Nullable StreamState of(GpuStream stream, GpuStreams streams) {
    GpuStream.Performance performance = stream.performance();
    int queued = stream.watched.get();
    if (performance != null) {
      String run = performance.work().runId() == 0 ? "" : " run=" + performance.work().runId();
      return new StreamState(
          stream.traceId, "runs " + performance.work().name() + run, performance.sinceNs(), queued);
    }
    try {
      return ofDevice(stream, streams, queued);
    } catch (DeviceException e) {
      return new StreamState(
          stream.traceId, "cannot be asked: " + e.codeName(), stream.busySinceNs(), queued);
    }
  }

  private static @Nullable StreamState ofDevice(GpuStream stream, GpuStreams streams, int queued) {
    if (HipStreams.streamIsCapturing(stream.address) != 0) { // a question would end the capture
      return new StreamState(stream.traceId, "is captured", stream.busySinceNs(), queued);
    }
    if (streams.isIdle(stream)) {
      stream.progressed();
      return null;
    }
    if (isHeld(stream, streams)) {
      return new StreamState(
          stream.traceId, "waits for " + stream.waitWords(), stream.waitSinceNs(), queued);
    }
    return new StreamState(stream.traceId, "has work to do", stream.busySinceNs(), queued);
  }

  /** Recorded again, an event cannot be asked for the record that is waited for. */
  private static boolean isHeld(GpuStream stream, GpuStreams streams) {
    GpuStream source = stream.waitSource();
    if (source == null || !source.holds.isHeld()) {
      return false;
    }
    GpuEvent event = stream.waitEvent();
    return event == null ? !streams.isIdle(source) : !event.query();
  }
}
