package dev.millrace.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

class Bfloat16Test {
  private static final int ALL = 1 << 16;

  @Test
  void everyValueComesBackBitForBit() {
    for (int bits = 0; bits < ALL; bits++) {
      short value = (short) bits;
      if (Bfloat16.toBits(Bfloat16.toFloat(value)) != value) {
        throw new AssertionError("0x" + Integer.toHexString(bits) + " does not come back");
      }
    }
  }

  @Test
  void isTheUpperHalfOfASingle() {
    assertThat(Bfloat16.toFloat((short) 0x3F80)).isEqualTo(1f);
    assertThat(Bfloat16.toFloat((short) 0xC2F7)).isEqualTo(-123.5f);
    assertThat(Bfloat16.toFloat((short) 0x0001)).isEqualTo(0x1p-133f);
    assertThat(Bfloat16.toFloat((short) 0x7F80)).isEqualTo(Float.POSITIVE_INFINITY);
    assertThat(1 / Bfloat16.toFloat((short) 0x8000)).isEqualTo(Float.NEGATIVE_INFINITY);
  }

  @Test
  void roundsEveryUpperHalfToTheNearest() {
    int[] lowers = {0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF};
    for (int upper = 0; upper < ALL; upper++) {
      for (int lower : lowers) {
        assertNearest(upper << 16 | lower);
      }
    }
  }

  @Test
  void roundsAnySingleToTheNearest(TestInfo info) {
    Seeds.of(info)
        .forEach(
            100,
            random -> {
              for (int i = 0; i < 2_000; i++) {
                assertNearest(random.nextInt());
              }
            });
  }

  @Test
  void staysNotANumberWhenOnlyLowerBitsSaySo() {
    assertThat(Bfloat16.toBits(Float.intBitsToFloat(0x7F800001))).isEqualTo((short) 0x7FC0);
    assertThat(Bfloat16.toBits(Float.intBitsToFloat(0xFF80FFFF))).isEqualTo((short) 0xFFC0);
    assertThat(Bfloat16.toBits(Float.intBitsToFloat(0x7FFFFFFF))).isEqualTo((short) 0x7FFF);
  }

  // Compares the distances to both neighbours, which doubles hold exactly.
  private static void assertNearest(int bits) {
    float value = Float.intBitsToFloat(bits);
    short rounded = Bfloat16.toBits(value);
    if (Float.isNaN(value)) {
      check(bits, rounded, Float.isNaN(Bfloat16.toFloat(rounded)) && rounded < 0 == bits < 0);
      return;
    }
    short towardsZero = (short) (bits >> 16);
    short away = (short) (towardsZero + 1);
    double below = Math.abs(value - finite(towardsZero));
    double above = Math.abs(finite(away) - value);
    short even = (towardsZero & 1) == 0 ? towardsZero : away;
    short expected = below < above ? towardsZero : below > above ? away : even;
    check(bits, rounded, rounded == (Float.isInfinite(value) ? towardsZero : expected));
  }

  // For rounding, infinity stands where the next finite value would be.
  private static double finite(short bits) {
    return switch (bits) {
      case (short) 0x7F80 -> 0x1p128;
      case (short) 0xFF80 -> -0x1p128;
      default -> Bfloat16.toFloat(bits);
    };
  }

  private static void check(int bits, short rounded, boolean right) {
    if (!right) {
      throw new AssertionError(
          "0x%08X is rounded to 0x%04X".formatted(bits, Short.toUnsignedInt(rounded)));
    }
  }
}
