package dev.millrace.gpu.stream;

import dev.millrace.error.DeviceException;
import dev.millrace.gpu.ffi.HipMemory;
import dev.millrace.handle.DeviceId;
import dev.millrace.tensor.DeviceMemory;
import dev.millrace.tensor.MemoryKind;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Memory of one device, and of the host for it. */
final class GpuAllocator {
  private static final int OUT_OF_MEMORY = 2;

  /** How long an allocation waits for memory that is already being freed. */
  private static final long PATIENCE_NS = 1_000_000_000L;

  private final DeviceId id;
  private final Housekeeping housekeeping;
  private final HostTransfer transfer;
  private final @Nullable StreamOrderedPool pool;

  GpuAllocator(
      DeviceId id,
      Housekeeping housekeeping,
      HostTransfer transfer,
      @Nullable StreamOrderedPool pool) {
    this.id = id;
    this.housekeeping = housekeeping;
    this.transfer = transfer;
    this.pool = pool;
  }

  DeviceMemory allocate(long bytes, MemoryKind kind) {
    return switch (kind) {
      case DEVICE -> ofDevice(bytes);
      case PINNED -> pinned(bytes);
      case HOST -> ofHost(bytes);
    };
  }

  private DeviceMemory ofDevice(long bytes) {
    StreamOrderedPool ordered = pool;
    if (ordered == null) {
      long address = taken("device", bytes, HipMemory::malloc);
      return GpuMemory.ofDevice(
          id, address, bytes, transfer, () -> freeLater("device", address, HipMemory::free));
    }
    long address = taken("stream-ordered", bytes, ordered::allocate);
    return GpuMemory.ofDevice(
        id, address, bytes, transfer, () -> freeLater("stream-ordered", address, ordered::free));
  }

  private DeviceMemory pinned(long bytes) {
    long address = taken("pinned", bytes, size -> HipMemory.hostMalloc(size, 0));
    return GpuMemory.pinned(
        id, address, bytes, transfer, () -> freeLater("pinned", address, HipMemory::hostFree));
  }

  private DeviceMemory ofHost(long bytes) {
    try {
      return GpuMemory.ofHost(id, bytes, transfer, housekeeping);
    } catch (OutOfMemoryError e) {
      throw DeviceException.of("allocate host memory bytes=" + bytes, id, "Arena.allocate", e);
    }
  }

  private interface Free {
    void free(long address);
  }

  private void freeLater(String kind, long address, Free free) {
    housekeeping.later(
        "free " + kind + " memory=0x" + Long.toHexString(address), () -> free.free(address));
  }

  /** Nothing has no address of its own: a block of no bytes gets one that nobody reads. */
  private long taken(String kind, long bytes, LongUnaryOperator allocate) {
    long size = Math.max(bytes, 1);
    try {
      return onDevice(() -> allocate.applyAsLong(size));
    } catch (DeviceException e) {
      if (e.code() != OUT_OF_MEMORY) {
        throw e;
      }
      return takenAfterFrees(kind, bytes, allocate, e);
    }
  }

  private long takenAfterFrees(
      String kind, long bytes, LongUnaryOperator allocate, DeviceException first) {
    if (!housekeeping.flush(PATIENCE_NS)) {
      throw outOfMemory(kind, bytes, first);
    }
    try {
      return onDevice(() -> allocate.applyAsLong(Math.max(bytes, 1)));
    } catch (DeviceException e) {
      throw e.code() == OUT_OF_MEMORY ? outOfMemory(kind, bytes, e) : e;
    }
  }

  private DeviceException outOfMemory(String kind, long bytes, DeviceException cause) {
    return DeviceException.of(
        "allocate " + kind + " memory bytes=" + bytes + sizes(),
        id,
        cause.function(),
        cause.code(),
        cause.codeName());
  }

  private String sizes() {
    try {
      long[] freeAndTotal = onDevice(HipMemory::memGetInfo);
      return " free=" + freeAndTotal[0] + " total=" + freeAndTotal[1];
    } catch (RuntimeException e) {
      return ""; // the failure that is being told is the one that counts
    }
  }

  private interface Call<T> {
    T make();
  }

  private <T> T onDevice(Call<T> call) {
    int former = CurrentDevice.enter(id.ordinal());
    try {
      return call.make();
    } finally {
      CurrentDevice.leave(former, id.ordinal());
    }
  }

  /** The device is current, and nothing is in flight. */
  void close(java.util.function.Consumer<Runnable> attempt) {
    StreamOrderedPool ordered = pool;
    if (ordered != null) {
      attempt.accept(ordered::close);
    }
  }
}
