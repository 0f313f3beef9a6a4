package dev.millrace.gpu.stream;

import dev.millrace.gpu.ffi.Native;
import dev.millrace.handle.DeviceId;
import dev.millrace.tensor.DeviceMemory;
import dev.millrace.tensor.MemoryKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A block of memory, and how it is given back: without waiting, by somebody else. */
final class GpuMemory extends DeviceMemory {
  /** A cache line, and what vector code likes. */
  private static final long ALIGNMENT = 64;

  private final @Nullable MemorySegment segment;
  private final HostTransfer transfer;
  private final Runnable giveBack;

  private GpuMemory(
      DeviceId device,
      MemoryKind kind,
      long address,
      long bytes,
      @Nullable MemorySegment segment,
      HostTransfer transfer,
      Runnable giveBack) {
    super(device, kind, address, bytes);
    this.segment = segment;
    this.transfer = transfer;
    this.giveBack = giveBack;
  }

  static GpuMemory ofDevice(
      DeviceId device, long address, long bytes, HostTransfer transfer, Runnable giveBack) {
    return new GpuMemory(device, MemoryKind.DEVICE, address, bytes, null, transfer, giveBack);
  }

  static GpuMemory pinned(
      DeviceId device, long address, long bytes, HostTransfer transfer, Runnable giveBack) {
    MemorySegment segment = Native.segment(address, bytes);
    return new GpuMemory(device, MemoryKind.PINNED, address, bytes, segment, transfer, giveBack);
  }

  /** Ordinary memory of the process. Closing a shared arena stops other threads for a moment. */
  @SuppressWarnings("MustBeClosedChecker") // the block owns its arena, and closes it when freed
  static GpuMemory ofHost(
      DeviceId device, long bytes, HostTransfer transfer, Housekeeping housekeeping) {
    Arena arena = Arena.ofShared();
    MemorySegment segment = arena.allocate(Math.max(bytes, 1), ALIGNMENT).asSlice(0, bytes);
    return new GpuMemory(
        device,
        MemoryKind.HOST,
        segment.address(),
        bytes,
        segment,
        transfer,
        () -> housekeeping.later("free host memory", arena::close));
  }

  @Override
  public MemorySegment segment() {
    if (segment == null) {
      throw new UnsupportedOperationException(
          "take the segment of " + this + ": the host must not follow an address of the device");
    }
    return segment;
  }

  @Override
  public void copyFromHost(MemorySegment from) {
    if (segment == null) {
      transfer.write(address(), from);
    } else {
      super.copyFromHost(from);
    }
  }

  @Override
  public void copyToHost(MemorySegment to) {
    if (segment == null) {
      transfer.read(address(), to);
    } else {
      super.copyToHost(to);
    }
  }

  @Override
  protected void free() {
    giveBack.run();
  }
}
