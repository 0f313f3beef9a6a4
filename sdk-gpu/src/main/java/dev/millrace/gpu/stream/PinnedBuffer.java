package dev.millrace.gpu.stream;

import dev.millrace.gpu.ffi.HipMemory;
import dev.millrace.gpu.ffi.Native;
import java.lang.foreign.MemorySegment;

/** Pinned memory that copies from and to unpinned memory go through, a part at a time. */
record PinnedBuffer(long address, long bytes) {
  /** Larger copies go through it in parts. */
  static final long MOST_BYTES = 4L << 20;

  private static final long FEWEST_BYTES = 64L << 10;

  /** Allocates one for copies of a size; the device is current. */
  static PinnedBuffer forCopiesOf(long wanted) {
    long bytes = FEWEST_BYTES;
    while (bytes < wanted && bytes < MOST_BYTES) {
      bytes *= 2;
    }
    return new PinnedBuffer(HipMemory.hostMalloc(bytes, 0), bytes);
  }

  boolean isEnoughFor(long wanted) {
    return bytes >= Math.min(wanted, MOST_BYTES);
  }

  MemorySegment segment() {
    return Native.segment(address, bytes);
  }

  void free() {
    HipMemory.hostFree(address);
  }
}
