package dev.millrace.gpu.captured;

import dev.millrace.binding.StreamBinding;
import dev.millrace.error.DeviceException;
import dev.millrace.gpu.ffi.FirstFailure;
import dev.millrace.gpu.ffi.HipGraphs;
import dev.millrace.gpu.ffi.HipMemory;
import dev.millrace.gpu.ffi.HipStreams;
import dev.millrace.gpu.stream.CaptureGate;
import dev.millrace.gpu.stream.CurrentDevice;
import dev.millrace.stream.DeviceStream;
import dev.millrace.stream.StreamContext;
import dev.millrace.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Makes a lane's capture: a warm-up run of the body, then the same body captured. All of it on one
 * platform thread, since the mode of a capture belongs to the thread. The warm-up has a stream of
 * its own: HIP takes a question about any event that was recorded on a stream, however early, for
 * one that invalidates the stream's capture. A capture that fails takes its stream with it: HIP may
 * leave it unusable.
 */
final class Capture {
  private static final int THREAD_LOCAL = 1;

  private final StreamContext context;
  private final CaptureSpec spec;
  private final CaptureBody body;
  private final DeviceStream stream;
  private final long address;
  private final int ordinal;
  private final LaneMemory memory;

  private Capture(
      StreamContext context,
      CaptureSpec spec,
      CaptureBody body,
      DeviceStream stream,
      LaneMemory memory) {
    this.context = context;
    this.spec = spec;
    this.body = body;
    this.stream = stream;
    this.address = stream.handle().address();
    this.ordinal = stream.device().id().ordinal();
    this.memory = memory;
  }

  /** On a platform thread, which waits for the warm-up. */
  static CapturedLane lane(StreamContext context, CaptureSpec spec, CaptureBody body) {
    DeviceStream stream = context.own().device().newStream();
    try {
      LaneMemory memory = new LaneMemory(stream.device(), spec);
      try {
        CapturedGraph graph = new Capture(context, spec, body, stream, memory).graph();
        return new CapturedLane(spec, stream, memory, graph);
      } catch (RuntimeException | Error e) {
        memory.close();
        throw e;
      }
    } catch (RuntimeException | Error e) {
      stream.close();
      throw e;
    }
  }

  /** The context's handles are moved before the capture and after it, never in between. */
  private CapturedGraph graph() {
    try (DeviceStream rehearsal = stream.device().newStream()) {
      warmUp(rehearsal);
      memory.warm(stream.handle()); // while the stream that the handle leaves is still there
    }
    StreamBinding binding = context.bind(stream);
    CapturedGraph graph;
    try {
      graph = captured();
    } catch (RuntimeException | Error e) {
      closeAlso(binding, e);
      throw e;
    }
    try {
      binding.close();
      stream.synchronize(); // the upload, and what orders the handles' way back
      return graph;
    } catch (RuntimeException | Error e) {
      graph.destroy();
      throw e;
    }
  }

  private static void closeAlso(StreamBinding binding, Throwable failure) {
    try {
      binding.close();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private void warmUp(DeviceStream on) {
    long target = on.handle().address();
    memory.lookAt(on.handle());
    Recorder kept = new Recorder(spec, memory.buffers(), target);
    try (StreamBinding _ = context.bind(on)) {
      for (Tensor buffer : memory.buffers()) {
        onDevice(() -> HipMemory.memsetAsync(buffer.address(), 0, buffer.byteSize(), target));
      }
      run(kept, on, false);
    } finally {
      try {
        on.synchronize();
      } finally {
        kept.letGo();
      }
    }
  }

  private void run(Recorder recorder, DeviceStream on, boolean capturing) {
    CaptureScope scope = new CaptureScope(spec, on, memory, recorder, capturing);
    try {
      body.enqueue(scope);
    } finally {
      scope.end();
    }
  }

  private CapturedGraph captured() {
    Recorder recorder = new Recorder(spec, memory.buffers(), address);
    CaptureGate.beginCapture();
    try {
      long graph = captureNow(recorder);
      int former = CurrentDevice.enter(ordinal);
      try {
        return CapturedGraph.of(graph, stream, spec, memory.buffers(), recorder);
      } finally {
        CurrentDevice.leave(former, ordinal);
      }
    } catch (RuntimeException | Error e) {
      recorder.letGo();
      throw e;
    } finally {
      CaptureGate.endCapture();
    }
  }

  private long captureNow(Recorder recorder) {
    onDevice(() -> HipStreams.streamBeginCapture(address, THREAD_LOCAL));
    FirstFailure.watch();
    CaptureGate.opened(address, recorder);
    @Nullable Throwable failure = null;
    try {
      run(recorder, stream, true);
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    CaptureGate.closed(address);
    DeviceException first = FirstFailure.end();
    return end(recorder, failure, first);
  }

  /** A capture is ended whatever happened: else it would stay open. */
  private long end(
      Recorder recorder, @Nullable Throwable failure, @Nullable DeviceException first) {
    long graph = 0;
    @Nullable DeviceException ended = null;
    int former = CurrentDevice.enter(ordinal);
    try {
      graph = HipStreams.streamEndCapture(address);
    } catch (DeviceException e) {
      ended = e;
    } finally {
      CurrentDevice.leave(former, ordinal);
    }
    if (failure == null && ended == null) {
      return graph;
    }
    if (graph != 0) {
      HipGraphs.graphDestroy(graph);
    }
    throw why(recorder, failure, first, ended);
  }

  /** The body's own exception, else the call that invalidated the capture. */
  private RuntimeException why(
      Recorder recorder,
      @Nullable Throwable failure,
      @Nullable DeviceException first,
      @Nullable DeviceException ended) {
    if (failure instanceof Error e) {
      throw e;
    }
    if (failure instanceof RuntimeException e && !(failure instanceof DeviceException)) {
      return e;
    }
    DeviceException culprit = first != null ? first : (DeviceException) failure;
    RuntimeException said = invalidated(recorder, culprit, ended);
    if (failure != null) {
      said.addSuppressed(failure);
    }
    return said;
  }

  private RuntimeException invalidated(
      Recorder recorder, @Nullable DeviceException culprit, @Nullable DeviceException ended) {
    DeviceException status = culprit != null ? culprit : ended;
    if (status == null) {
      throw new IllegalStateException("a capture that failed without a failure");
    }
    String by =
        culprit != null
            ? "invalidated by a call that may not be captured: " + culprit.act()
            : "invalidated by a call of the body that was not made through this library, or by one"
                + " of another thread";
    return DeviceException.of(
        "capture " + spec + ": " + by + "; " + recorder.after(),
        stream.device().id(),
        status.function(),
        status.code(),
        status.codeName());
  }

  private void onDevice(Runnable call) {
    int former = CurrentDevice.enter(ordinal);
    try {
      call.run();
    } finally {
      CurrentDevice.leave(former, ordinal);
    }
  }
}
