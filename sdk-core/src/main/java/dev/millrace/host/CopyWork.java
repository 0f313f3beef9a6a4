package dev.millrace.host;

import dev.millrace.spi.HostWork;
import dev.millrace.tensor.Tensor;
import dev.millrace.trace.TraceEvent.WorkKind;
import java.lang.foreign.MemorySegment;

/** A copy in stream order. The shapes are compared here, since a run may decide them only now. */
record CopyWork(Tensor from, Tensor to, long runId) implements HostWork {

  @Override
  public void run() {
    MemorySegment source = from.heldMemory().segment();
    MemorySegment target = to.heldMemory().segment();
    long bytes = from.byteSize(); // the memory itself may be larger
    if (bytes != to.byteSize()) {
      throw new IllegalArgumentException(
          "copy from bytes=" + bytes + " to bytes=" + to.byteSize() + ": expected equal sizes");
    }
    MemorySegment.copy(source, 0, target, 0, bytes);
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
