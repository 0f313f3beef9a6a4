package dev.millrace.gpu.stream;

import dev.millrace.error.DeviceException;
import dev.millrace.gpu.ffi.HipMemory;
import dev.millrace.gpu.ffi.HipStreams;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Memory of HIP's stream-ordered pool, on a stream of its own that does nothing else, so that
 * neither allocating nor freeing waits for anybody's work. Used only where {@code
 * -Dmillrace.streamOrderedMemory=true} says so and a test of it succeeds: some releases of ROCm
 * have handed out memory that was still in use.
 */
final class StreamOrderedPool {
  private static final System.Logger LOG = System.getLogger("dev.millrace.gpu");
  private static final String PROPERTY = "millrace.streamOrderedMemory";
  private static final int NON_BLOCKING = 1;

  /** {@code hipMemPoolAttrReleaseThreshold}: how much is kept when nobody uses it. */
  private static final int RELEASE_THRESHOLD = 4;

  private static final long TEST_BYTES = 1L << 20;
  private static final int TEST_ROUNDS = 8;

  private final long stream;

  private StreamOrderedPool(long stream) {
    this.stream = stream;
  }

  /** Null where it is not wanted or does not work; the device is current. */
  static @Nullable StreamOrderedPool open(int ordinal) {
    if (!Boolean.getBoolean(PROPERTY)) {
      return null;
    }
    long stream = 0;
    try {
      keepAll(HipMemory.deviceGetDefaultMemPool(ordinal));
      stream = HipStreams.streamCreateWithPriority(NON_BLOCKING, 0);
      StreamOrderedPool pool = new StreamOrderedPool(stream);
      return pool.isSound() ? pool : pool.refused(ordinal);
    } catch (DeviceException e) {
      return unusable(ordinal, stream, e);
    }
  }

  private static @Nullable StreamOrderedPool unusable(
      int ordinal, long stream, DeviceException failure) {
    LOG.log(
        System.Logger.Level.WARNING,
        "device=gpu:" + ordinal + " has no stream-ordered memory: hipMalloc is used instead",
        failure);
    if (stream != 0) {
      HipStreams.streamDestroy(stream);
    }
    return null;
  }

  private @Nullable StreamOrderedPool refused(int ordinal) {
    HipStreams.streamDestroy(stream);
    LOG.log(
        System.Logger.Level.WARNING,
        "device=gpu:{0}: stream-ordered memory did not keep what was written to it, so hipMalloc"
            + " is used instead; a newer ROCm may help",
        ordinal);
    return null;
  }

  private static void keepAll(long pool) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment threshold = arena.allocateFrom(ValueLayout.JAVA_LONG, -1L);
      HipMemory.memPoolSetAttribute(pool, RELEASE_THRESHOLD, threshold.address());
    }
  }

  /** Allocates, and returns when the memory may be used on every stream. */
  long allocate(long bytes) {
    long address = HipMemory.mallocAsync(bytes, stream);
    try {
      HipStreams.streamSynchronize(stream); // it has nothing to do but allocations and frees
      return address;
    } catch (DeviceException e) {
      free(address);
      throw e;
    }
  }

  /** Frees memory that no work on the device uses any more. */
  void free(long address) {
    HipMemory.freeAsync(address, stream);
  }

  void close() {
    HipStreams.streamDestroy(stream);
  }

  /** Writes blocks, frees others between them, and looks whether all is as it was written. */
  private boolean isSound() {
    long[] blocks = new long[TEST_ROUNDS];
    long pinned = HipMemory.hostMalloc(TEST_BYTES, 0);
    try {
      boolean sound = true;
      for (int i = 0; i < TEST_ROUNDS; i++) {
        free(allocate(TEST_BYTES)); // what comes next may be the same memory
        blocks[i] = allocate(TEST_BYTES);
        HipMemory.memsetAsync(blocks[i], i + 1, TEST_BYTES, stream);
      }
      for (int i = 0; i < TEST_ROUNDS; i++) {
        sound &= isFilled(blocks[i], (byte) (i + 1), pinned);
      }
      return sound;
    } finally {
      for (long block : blocks) {
        if (block != 0) {
          free(block);
        }
      }
      HipMemory.hostFree(pinned);
    }
  }

  private boolean isFilled(long block, byte value, long pinned) {
    HipMemory.memcpyAsync(pinned, block, TEST_BYTES, CopyKind.FROM_DEVICE.code, stream);
    HipStreams.streamSynchronize(stream);
    MemorySegment seen = dev.millrace.gpu.ffi.Native.segment(pinned, TEST_BYTES);
    for (long at = 0; at < TEST_BYTES; at++) {
      if (seen.get(ValueLayout.JAVA_BYTE, at) != value) {
        return false;
      }
    }
    return true;
  }
}
