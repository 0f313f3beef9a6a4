package dev.millrace.host;

import dev.millrace.error.DeviceException;
import dev.millrace.handle.DeviceId;
import dev.millrace.tensor.DeviceMemory;
import dev.millrace.tensor.MemoryKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/** A block of the process's memory, of an arena of its own, counted against a limit. */
final class HostMemory extends DeviceMemory {
  /** A cache line, and what vector code likes. */
  private static final long ALIGNMENT = 64;

  /** What a host device has given out, and may. */
  static final class Budget {
    private final long limit;
    private final AtomicLong used = new AtomicLong();

    Budget(long limit) {
      this.limit = limit;
    }

    void take(long bytes, DeviceId device) {
      long before = used.get();
      // Not taken and given back: what is refused must not be in the way of what fits.
      while (bytes <= limit - before) {
        if (used.compareAndSet(before, before + bytes)) {
          return;
        }
        before = used.get();
      }
      throw DeviceException.of(
          "allocate bytes=" + bytes + " used=" + before + " limit=" + limit,
          device,
          "Arena.allocate",
          2,
          "out of memory");
    }

    void giveBack(long bytes) {
      used.addAndGet(-bytes);
    }

    long used() {
      return used.get();
    }
  }

  private final Arena arena;
  private final MemorySegment segment;
  private final Budget budget;

  private HostMemory(
      DeviceId device, MemoryKind kind, Arena arena, MemorySegment segment, Budget budget) {
    super(device, kind, segment.address(), segment.byteSize());
    this.arena = arena;
    this.segment = segment;
    this.budget = budget;
  }

  @SuppressWarnings("MustBeClosedChecker") // the block owns its arena and closes it in free()
  static HostMemory allocate(DeviceId device, MemoryKind kind, long bytes, Budget budget) {
    budget.take(bytes, device);
    Arena arena = Arena.ofShared();
    try {
      // Nothing has no address of its own: a zero-sized tensor gets one byte that nobody reads.
      MemorySegment block = arena.allocate(Math.max(bytes, 1), ALIGNMENT);
      return new HostMemory(device, kind, arena, block.asSlice(0, bytes), budget);
    } catch (OutOfMemoryError e) {
      arena.close();
      budget.giveBack(bytes);
      throw DeviceException.of("allocate bytes=" + bytes, device, "Arena.allocate", e);
    }
  }

  @Override
  public MemorySegment segment() {
    return segment;
  }

  @Override
  protected void free() {
    budget.giveBack(byteSize());
    arena.close();
  }
}
