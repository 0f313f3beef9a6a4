package dev.millrace.conformance;

import dev.millrace.tensor.DeviceMemory;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the bytes of a driver's memory that nobody has freed yet. */
final class MemoryAccount {
  private final AtomicLong live = new AtomicLong();

  long live() {
    return live.get();
  }

  /** The same memory, counted; takes over the one hold on it. */
  DeviceMemory counted(DeviceMemory memory) {
    live.addAndGet(memory.byteSize());
    return new Counted(memory);
  }

  private final class Counted extends DeviceMemory {
    private final DeviceMemory memory;

    Counted(DeviceMemory memory) {
      super(memory.device(), memory.kind(), memory.address(), memory.byteSize());
      this.memory = memory;
    }

    @Override
    public MemorySegment segment() {
      return memory.segment();
    }

    @Override
    public void copyFromHost(MemorySegment from) {
      memory.copyFromHost(from);
    }

    @Override
    public void copyToHost(MemorySegment to) {
      memory.copyToHost(to);
    }

    @Override
    protected void free() {
      live.addAndGet(-byteSize());
      memory.release();
    }
  }
}
