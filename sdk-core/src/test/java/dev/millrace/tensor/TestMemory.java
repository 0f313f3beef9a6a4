package dev.millrace.tensor;

import dev.millrace.handle.DeviceId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Counts how often it is freed; touching host memory after that throws. */
final class TestMemory extends DeviceMemory {
  static final DeviceId HOST = new DeviceId("host", 0);
  static final DeviceId GPU = new DeviceId("gpu", 0);

  private final @Nullable Arena arena;
  private final @Nullable MemorySegment segment;
  private final AtomicInteger freed = new AtomicInteger();

  private TestMemory(DeviceId device, MemoryKind kind, Arena arena, MemorySegment segment) {
    super(device, kind, segment.address(), segment.byteSize());
    this.arena = arena;
    this.segment = segment;
  }

  private TestMemory(long address, long bytes) {
    super(GPU, MemoryKind.DEVICE, address, bytes);
    this.arena = null;
    this.segment = null;
  }

  static TestMemory host(long bytes) {
    return readable(HOST, MemoryKind.HOST, bytes);
  }

  static TestMemory pinned(long bytes) {
    return readable(GPU, MemoryKind.PINNED, bytes);
  }

  // free() closes the arena.
  @SuppressWarnings("MustBeClosedChecker")
  private static TestMemory readable(DeviceId device, MemoryKind kind, long bytes) {
    Arena arena = Arena.ofShared();
    return new TestMemory(device, kind, arena, arena.allocate(bytes, 64));
  }

  /** Memory at an address that nothing is mapped at. */
  static TestMemory device(long address, long bytes) {
    return new TestMemory(address, bytes);
  }

  int freed() {
    return freed.get();
  }

  @Override
  protected void free() {
    freed.incrementAndGet();
    if (arena != null) {
      arena.close();
    }
  }

  @Override
  public MemorySegment segment() {
    if (segment == null) {
      throw new UnsupportedOperationException("asked for a segment of device memory");
    }
    return segment;
  }
}
