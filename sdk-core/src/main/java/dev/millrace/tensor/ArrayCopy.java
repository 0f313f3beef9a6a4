package dev.millrace.tensor;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/** Copies between Java arrays and tensor memory, once, converting where the elements differ. */
final class ArrayCopy {
  private ArrayCopy() {}

  static void write(float[] from, DataType type, MemorySegment to) {
    switch (type) {
      case FLOAT16 -> {
        for (int i = 0; i < from.length; i++) {
          to.setAtIndex(JAVA_SHORT_UNALIGNED, i, Float.floatToFloat16(from[i]));
        }
      }
      case BFLOAT16 -> {
        for (int i = 0; i < from.length; i++) {
          to.setAtIndex(JAVA_SHORT_UNALIGNED, i, Bfloat16.toBits(from[i]));
        }
      }
      default -> MemorySegment.copy(from, 0, to, JAVA_FLOAT_UNALIGNED, 0, from.length);
    }
  }

  static void read(MemorySegment from, DataType type, float[] to) {
    switch (type) {
      case FLOAT16 -> {
        for (int i = 0; i < to.length; i++) {
          to[i] = Float.float16ToFloat(from.getAtIndex(JAVA_SHORT_UNALIGNED, i));
        }
      }
      case BFLOAT16 -> {
        for (int i = 0; i < to.length; i++) {
          to[i] = Bfloat16.toFloat(from.getAtIndex(JAVA_SHORT_UNALIGNED, i));
        }
      }
      default -> MemorySegment.copy(from, JAVA_FLOAT_UNALIGNED, 0, to, 0, to.length);
    }
  }

  static void write(boolean[] from, MemorySegment to) {
    for (int i = 0; i < from.length; i++) {
      to.set(JAVA_BYTE, i, (byte) (from[i] ? 1 : 0));
    }
  }

  static void read(MemorySegment from, boolean[] to) {
    for (int i = 0; i < to.length; i++) {
      to[i] = from.get(JAVA_BYTE, i) != 0;
    }
  }

  static void write(double[] from, MemorySegment to) {
    MemorySegment.copy(from, 0, to, JAVA_DOUBLE_UNALIGNED, 0, from.length);
  }

  static void read(MemorySegment from, double[] to) {
    MemorySegment.copy(from, JAVA_DOUBLE_UNALIGNED, 0, to, 0, to.length);
  }

  static void write(long[] from, MemorySegment to) {
    MemorySegment.copy(from, 0, to, JAVA_LONG_UNALIGNED, 0, from.length);
  }

  static void read(MemorySegment from, long[] to) {
    MemorySegment.copy(from, JAVA_LONG_UNALIGNED, 0, to, 0, to.length);
  }

  static void write(int[] from, MemorySegment to) {
    MemorySegment.copy(from, 0, to, JAVA_INT_UNALIGNED, 0, from.length);
  }

  static void read(MemorySegment from, int[] to) {
    MemorySegment.copy(from, JAVA_INT_UNALIGNED, 0, to, 0, to.length);
  }

  static void write(short[] from, MemorySegment to) {
    MemorySegment.copy(from, 0, to, JAVA_SHORT_UNALIGNED, 0, from.length);
  }

  static void read(MemorySegment from, short[] to) {
    MemorySegment.copy(from, JAVA_SHORT_UNALIGNED, 0, to, 0, to.length);
  }

  static void write(byte[] from, MemorySegment to) {
    MemorySegment.copy(from, 0, to, JAVA_BYTE, 0, from.length);
  }

  static void read(MemorySegment from, byte[] to) {
    MemorySegment.copy(from, JAVA_BYTE, 0, to, 0, to.length);
  }
}
