package dev.millrace.tensor;

import dev.millrace.handle.DeviceId;
import dev.millrace.lifetime.HoldCount;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A block of memory that lives for as long as somebody holds it. The tensor that was made with it
 * holds it once, each run in flight that uses it once more; the last {@link #release()} frees it.
 * Any thread.
 */
public abstract class DeviceMemory {
  private final DeviceId device;
  private final MemoryKind kind;
  private final long address;
  private final long byteSize;

  private final HoldCount holds = new HoldCount();

  /**
   * Describes a block that is there already.
   *
   * @param device the device that owns it
   * @param kind who can read it
   * @param address its first byte
   * @param byteSize its size
   */
  protected DeviceMemory(DeviceId device, MemoryKind kind, long address, long byteSize) {
    this.device = Objects.requireNonNull(device, "device");
    this.kind = Objects.requireNonNull(kind, "kind");
    this.address = address;
    this.byteSize = byteSize;
  }

  /** Gives the block back. Called once, by the last release, on its thread. */
  protected abstract void free();

  /**
   * The block as a segment.
   *
   * @return the segment, of {@link #byteSize()} bytes
   * @throws UnsupportedOperationException for memory that the host cannot read
   */
  public abstract MemorySegment segment();

  /**
   * Copies from the host to the beginning of the block, and returns when it is there. It is in no
   * stream's order: whoever calls this knows that nobody uses the block meanwhile.
   *
   * @param from as many bytes as are to be copied, at most {@link #byteSize()}
   * @throws UnsupportedOperationException for memory that the host cannot write, in no way
   */
  public void copyFromHost(MemorySegment from) {
    MemorySegment.copy(from, 0, segment(), 0, from.byteSize());
  }

  /**
   * Copies the beginning of the block to the host, and returns when it is there. It is in no
   * stream's order, as for {@link #copyFromHost}.
   *
   * @param to as many bytes as are to be copied, at most {@link #byteSize()}
   * @throws UnsupportedOperationException for memory that the host cannot read, in no way
   */
  public void copyToHost(MemorySegment to) {
    MemorySegment.copy(segment(), 0, to, 0, to.byteSize());
  }

  /**
   * Holds the block.
   *
   * @throws IllegalStateException if it was freed already
   */
  public final void retain() {
    if (!holds.retain()) {
      throw new IllegalStateException("hold " + this + ": it was freed already");
    }
  }

  /**
   * Lets go of the block, and frees it if nobody else holds it.
   *
   * @throws IllegalStateException if it was let go of more often than it was held
   */
  public final void release() {
    if (holds.release()) {
      free();
    }
  }

  /**
   * The device that owns the block.
   *
   * @return its id
   */
  public final DeviceId device() {
    return device;
  }

  /**
   * Who can read it.
   *
   * @return the kind
   */
  public final MemoryKind kind() {
    return kind;
  }

  /**
   * Where it is.
   *
   * @return the address of its first byte, in the device's address space
   */
  public final long address() {
    return address;
  }

  /**
   * Its size.
   *
   * @return bytes
   */
  public final long byteSize() {
    return byteSize;
  }

  /**
   * Whether the application brought this memory along, so that no device owns it.
   *
   * @return true for wrapped memory, which every device takes
   */
  public boolean isWrapped() {
    return false;
  }

  /**
   * Whether the memory is still there, as far as its holder does not decide that.
   *
   * @return false for wrapped memory whose arena the application has closed
   */
  public boolean isAlive() {
    return true;
  }

  @Override
  public String toString() {
    return "memory kind=" + kind + " bytes=" + byteSize + " device=" + device;
  }
}
