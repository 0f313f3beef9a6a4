package dev.millrace.tensor;

/** Converts between singles and their upper halves. */
final class Bfloat16 {
  private static final int FRACTION = 0x7F;
  private static final int QUIET = 0x40;
  private static final int HALF_MINUS_ONE = 0x7FFF;

  private Bfloat16() {}

  /** Every bfloat16 is a single, so nothing is lost, the bits of a NaN included. */
  static float toFloat(short bits) {
    return Float.intBitsToFloat(bits << Short.SIZE);
  }

  /** Rounds to the nearest, ties to even; a NaN stays one and keeps what fits of its bits. */
  static short toBits(float value) {
    int bits = Float.floatToRawIntBits(value);
    int upper = bits >>> Short.SIZE;
    if (Float.isNaN(value)) {
      // Cut off, a NaN whose only set bits were in the lower half would become an infinity.
      return (short) ((upper & FRACTION) == 0 ? upper | QUIET : upper);
    }
    return (short) ((bits + HALF_MINUS_ONE + (upper & 1)) >>> Short.SIZE);
  }
}
