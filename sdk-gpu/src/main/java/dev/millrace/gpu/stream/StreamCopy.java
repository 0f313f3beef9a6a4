package dev.millrace.gpu.stream;

import dev.millrace.gpu.ffi.HipMemory;
import dev.millrace.gpu.ffi.HipStreams;
import dev.millrace.spi.HostWork;
import dev.millrace.tensor.DeviceMemory;
import dev.millrace.tensor.Tensor;
import dev.millrace.trace.Trace;
import dev.millrace.trace.TraceEvent.WorkKind;
import java.lang.foreign.MemorySegment;

/**
 * A copy in stream order. What the host has to copy is copied when the stream comes to it, neither
 * before, since earlier work may write the source, nor after, since later work may read the target.
 */
record StreamCopy(GpuStream stream, DeviceMemory from, DeviceMemory to, long bytes) {

  static StreamCopy of(GpuStream stream, Tensor from, Tensor to) {
    long bytes = from.byteSize(); // the memory itself may be larger
    if (bytes != to.byteSize()) {
      throw new IllegalArgumentException(
          "copy from bytes=" + bytes + " to bytes=" + to.byteSize() + ": expected equal sizes");
    }
    return new StreamCopy(stream, from.heldMemory(), to.heldMemory(), bytes);
  }

  /** Enqueues it; the stream's device is current, and the caller holds the stream's monitor. */
  void enqueue(long correlation) {
    if (bytes == 0) {
      return;
    }
    CopyKind kind = CopyKind.of(from.kind(), to.kind());
    switch (kind) {
      case ON_HOST ->
          HostFunctions.launch(
              stream, new Step(part(from, 0, bytes), part(to, 0, bytes)), correlation);
      case STAGED_TO_DEVICE, STAGED_FROM_DEVICE -> enqueueStaged(kind, correlation);
      default ->
          HipMemory.memcpyAsync(to.address(), from.address(), bytes, kind.code, stream.address);
    }
  }

  private static MemorySegment part(DeviceMemory memory, long offset, long bytes) {
    return memory.segment().asSlice(offset, bytes);
  }

  /** The buffer is the stream's own: nothing but its own order has to be waited for. */
  private void enqueueStaged(CopyKind kind, long correlation) {
    PinnedBuffer buffer = stream.bufferFor(bytes);
    for (long offset = 0; offset < bytes; offset += buffer.bytes()) {
      long size = Math.min(buffer.bytes(), bytes - offset);
      try {
        enqueuePart(kind, buffer.segment().asSlice(0, size), offset, correlation);
      } catch (RuntimeException | Error e) {
        waitForParts(e);
        throw e;
      }
    }
  }

  private void enqueuePart(CopyKind kind, MemorySegment buffer, long offset, long correlation) {
    if (kind == CopyKind.STAGED_TO_DEVICE) {
      HostWork fill = new Step(part(from, offset, buffer.byteSize()), buffer);
      HostFunctions.launch(stream, fill, correlation);
      HipMemory.memcpyAsync(
          to.address() + offset, buffer.address(), buffer.byteSize(), kind.code, stream.address);
    } else {
      HipMemory.memcpyAsync(
          buffer.address(), from.address() + offset, buffer.byteSize(), kind.code, stream.address);
      HostWork drain = new Step(buffer, part(to, offset, buffer.byteSize()));
      HostFunctions.launch(stream, drain, correlation);
    }
  }

  /** The caller takes a copy that throws for one that was never there, and frees the memory. */
  private void waitForParts(Throwable failure) {
    try {
      HipStreams.streamSynchronize(stream.address);
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** What the host does of it. */
  private record Step(MemorySegment source, MemorySegment target, long runId) implements HostWork {
    Step(MemorySegment source, MemorySegment target) {
      this(source, target, Trace.currentRun());
    }

    @Override
    public void run() {
      target.copyFrom(source);
    }

    @Override
    public String name() {
      return "copy";
    }

    @Override
    public WorkKind kind() {
      return WorkKind.COPY;
    }
  }
}
