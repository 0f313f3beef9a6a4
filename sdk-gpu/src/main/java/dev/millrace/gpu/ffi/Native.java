package dev.millrace.gpu.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory outside the heap, by address. */
public final class Native {
  private static final int SLOT_BYTES = 256;
  private static final MemorySegment ALL = all();

  /**
   * Where functions put what they give: kept, since allocating it would cost more than the call.
   */
  private static final ThreadLocal<MemorySegment> SLOTS =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(SLOT_BYTES, Long.BYTES));

  private Native() {}

  @SuppressWarnings("restricted") // addresses come from native functions, which give no sizes
  private static MemorySegment all() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  /**
   * Scratch memory of the calling thread, for what a function gives.
   *
   * @return the address of 256 bytes, good until the thread's next call of anything in this package
   */
  public static long slot() {
    return SLOTS.get().address();
  }

  static int getInt(long address) {
    return ALL.get(JAVA_INT_UNALIGNED, address);
  }

  static long getLong(long address) {
    return ALL.get(JAVA_LONG_UNALIGNED, address);
  }

  static void putInt(long address, int value) {
    ALL.set(JAVA_INT_UNALIGNED, address, value);
  }

  static void putLong(long address, long value) {
    ALL.set(JAVA_LONG_UNALIGNED, address, value);
  }

  /**
   * A C string.
   *
   * @param address its first byte
   * @return its text
   */
  public static String string(long address) {
    return ALL.getString(address);
  }

  /**
   * Memory that the host can read.
   *
   * @param address its first byte
   * @param bytes its size
   * @return a segment over it, which keeps nothing alive
   */
  public static MemorySegment segment(long address, long bytes) {
    return ALL.asSlice(address, bytes);
  }

  /** A function that writes text into a buffer. */
  @FunctionalInterface
  interface TextCall {
    void call(long text, long bytes) throws Throwable;
  }

  /** The text that a function writes. */
  static String text(int bytes, TextCall call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(bytes);
      call.call(text.address(), bytes);
      return text.getString(0);
    } catch (Throwable e) {
      throw unexpected("a native function", e);
    }
  }

  /** For what a downcall handle declares and never throws. */
  static RuntimeException unexpected(String function, Throwable failure) {
    if (failure instanceof RuntimeException e) {
      return e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
    return new IllegalStateException("call " + function, failure);
  }
}
