package dev.millrace.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TensorCopyTest {
  private static final int ALL = 1 << 16;

  /** Eight elements into and out of one kind of array. */
  private record Copy(String array, Consumer<Tensor> write, ToIntFunction<Tensor> read) {}

  private static final List<Copy> COPIES =
      List.of(
          new Copy("float[]", t -> t.write(new float[8]), t -> t.readFloats().length),
          new Copy("double[]", t -> t.write(new double[8]), t -> t.readDoubles().length),
          new Copy("long[]", t -> t.write(new long[8]), t -> t.readLongs().length),
          new Copy("int[]", t -> t.write(new int[8]), t -> t.readInts().length),
          new Copy("short[]", t -> t.write(new short[8]), t -> t.readShorts().length),
          new Copy("byte[]", t -> t.write(new byte[packed(t)]), t -> t.readBytes().length),
          new Copy("boolean[]", t -> t.write(new boolean[8]), t -> t.readBooleans().length));

  private static Set<String> carriers(DataType type) {
    return switch (type) {
      case FLOAT -> Set.of("float[]");
      case FLOAT16, BFLOAT16 -> Set.of("float[]", "short[]");
      case DOUBLE -> Set.of("double[]");
      case INT64, UINT64 -> Set.of("long[]");
      case INT32, UINT32 -> Set.of("int[]");
      case INT16, UINT16 -> Set.of("short[]");
      case BOOL -> Set.of("boolean[]");
      case COMPLEX64, COMPLEX128 -> Set.of();
      default -> Set.of("byte[]");
    };
  }

  private static int packed(Tensor tensor) {
    return tensor.type().bits() < 8 ? tensor.type().bits() : 8;
  }

  private static Tensor tensor(DataType type, long... dims) {
    Shape shape = Shape.of(dims);
    return Tensor.of(TestMemory.host(type.byteSize(shape.elements())), type, shape);
  }

  @ParameterizedTest
  @EnumSource
  void takesAndGivesTheArraysOfItsTypeAndRefusesAllOthers(DataType type) {
    for (Copy copy : COPIES) {
      try (Tensor tensor = tensor(type, 2, 4)) {
        if (carriers(type).contains(copy.array())) {
          copy.write().accept(tensor);
          assertThat(copy.read().applyAsInt(tensor)).isEqualTo(packed(tensor));
        } else {
          refuses(() -> copy.write().accept(tensor), type, copy.array());
          refuses(
              () -> assertThat(copy.read().applyAsInt(tensor)).isNegative(), type, copy.array());
        }
      }
    }
  }

  private static void refuses(Runnable copy, DataType type, String array) {
    Set<String> choices = carriers(type).isEmpty() ? Set.of("MemorySegment") : carriers(type);
    assertThatIllegalArgumentException()
        .isThrownBy(copy::run)
        .withMessageContaining("tensor=" + type + " [2, 4] on host:0 as " + array + ": expected ")
        .satisfies(e -> assertThat(e.getMessage()).contains(choices));
  }

  @Test
  void refusesArraysOfAnotherLength() {
    try (Tensor floats = tensor(DataType.FLOAT, 2, 3);
        Tensor packed = tensor(DataType.UINT4, 5);
        Tensor none = tensor(DataType.BOOL, 0)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> floats.write(new float[5]))
          .withMessage("write tensor=FLOAT [2, 3] on host:0: length=5, expected 6");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> packed.write(new byte[5]))
          .withMessage("write tensor=UINT4 [5] on host:0: length=5, expected 3");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> none.write(new boolean[1]))
          .withMessage("write tensor=BOOL [0] on host:0: length=1, expected 0");
    }
  }

  @Test
  void copiesEveryJavaTypeBitForBit() {
    long[] longs = {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE};
    int[] ints = {Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE};
    short[] shorts = {Short.MIN_VALUE, -1, 0, 1, Short.MAX_VALUE};
    byte[] bytes = {Byte.MIN_VALUE, -1, 0, 1, Byte.MAX_VALUE};
    double[] doubles = {-0.0, Double.MIN_VALUE, Double.NaN, Double.NEGATIVE_INFINITY, Math.PI};
    boolean[] booleans = {true, false, false, true, true};
    try (Tensor int64 = tensor(DataType.INT64, 5);
        Tensor uint32 = tensor(DataType.UINT32, 5);
        Tensor int16 = tensor(DataType.INT16, 5);
        Tensor uint8 = tensor(DataType.UINT8, 5);
        Tensor real = tensor(DataType.DOUBLE, 5);
        Tensor bool = tensor(DataType.BOOL, 5)) {
      int64.write(longs);
      uint32.write(ints);
      int16.write(shorts);
      uint8.write(bytes);
      real.write(doubles);
      bool.write(booleans);

      assertThat(int64.readLongs()).isEqualTo(longs);
      assertThat(uint32.readInts()).isEqualTo(ints);
      assertThat(int16.readShorts()).isEqualTo(shorts);
      assertThat(uint8.readBytes()).isEqualTo(bytes);
      assertThat(real.readDoubles()).isEqualTo(doubles);
      assertThat(bool.readBooleans()).isEqualTo(booleans);
      assertThat(bool.segment().toArray(ValueLayout.JAVA_BYTE)).containsExactly(1, 0, 0, 1, 1);
    }
  }

  @Test
  void keepsThePayloadOfASinglesNan() {
    int[] bits = {0x7FC00000, 0x7F800001, 0xFFABCDEF, 0x80000000, 0x00000001, 0xFF800000};
    MemorySegment source = MemorySegment.ofArray(bits);
    try (Tensor tensor = tensor(DataType.FLOAT, bits.length)) {
      tensor.write(source.toArray(ValueLayout.JAVA_FLOAT_UNALIGNED));
      float[] read = tensor.readFloats();

      assertThat(tensor.segment().toArray(ValueLayout.JAVA_INT)).isEqualTo(bits);
      assertThat(MemorySegment.ofArray(read).mismatch(source)).isEqualTo(-1);
    }
  }

  @Test
  void convertsEveryHalf() {
    short[] bits = allShorts();
    try (Tensor tensor = tensor(DataType.FLOAT16, ALL);
        Tensor back = tensor(DataType.FLOAT16, ALL)) {
      tensor.write(bits);
      float[] values = tensor.readFloats();
      back.write(values);
      short[] again = back.readShorts();

      for (int i = 0; i < ALL; i++) {
        double exact = half(bits[i]);
        boolean same =
            Double.isNaN(exact)
                ? Float.isNaN(values[i]) && Double.isNaN(half(again[i])) && sameSign(bits, again, i)
                : values[i] == exact && again[i] == bits[i];
        assertThat(same).as("half 0x%04X as %s", i, values[i]).isTrue();
      }
    }
  }

  private static boolean sameSign(short[] one, short[] other, int i) {
    return one[i] < 0 == other[i] < 0;
  }

  /** IEEE 754 binary16, written out. */
  private static double half(short bits) {
    int exponent = bits >> 10 & 0x1F;
    int fraction = bits & 0x3FF;
    double size =
        switch (exponent) {
          case 0 -> fraction * 0x1p-24;
          case 0x1F -> fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
          default -> (1024 + fraction) * Math.pow(2, exponent - 25);
        };
    return bits < 0 ? -size : size;
  }

  @Test
  void convertsEveryBfloat16() {
    short[] bits = allShorts();
    try (Tensor tensor = tensor(DataType.BFLOAT16, ALL);
        Tensor back = tensor(DataType.BFLOAT16, ALL)) {
      tensor.write(bits);
      back.write(tensor.readFloats());

      assertThat(back.readShorts()).isEqualTo(bits);
    }
  }

  @Test
  void roundsToTheNearestHalf() {
    try (Tensor half = tensor(DataType.FLOAT16, 6);
        Tensor bfloat = tensor(DataType.BFLOAT16, 6)) {
      // The ends of the range, and ties below and above an even neighbour.
      half.write(new float[] {65519.5f, 65520f, 2049, 2051, 0x1p-25f, -0x1.8p-24f});
      bfloat.write(new float[] {257, 259, Float.MAX_VALUE, -Float.MIN_VALUE, 0x1.01p0f, 0x1.03p0f});

      assertThat(half.readFloats())
          .containsExactly(65504, Float.POSITIVE_INFINITY, 2048, 2052, 0, -0x1p-23f);
      assertThat(bfloat.readFloats())
          .containsExactly(256, 260, Float.POSITIVE_INFINITY, -0f, 1, 0x1.04p0f);
    }
  }

  private static short[] allShorts() {
    short[] bits = new short[ALL];
    for (int i = 0; i < ALL; i++) {
      bits[i] = (short) i;
    }
    return bits;
  }

  @ParameterizedTest
  @EnumSource
  void copiesAnyTypeAsBytes(DataType type) {
    byte[] bytes = {1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12, 13, -14, 15, -16};
    try (Tensor tensor = tensor(type, 128 / type.bits())) {
      tensor.write(MemorySegment.ofArray(bytes));
      byte[] read = new byte[16];
      tensor.read(MemorySegment.ofArray(read));

      assertThat(tensor.segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(bytes);
      assertThat(read).isEqualTo(bytes);
    }
  }

  @Test
  void refusesSegmentsOfAnotherSize() {
    try (Tensor tensor = tensor(DataType.COMPLEX64, 2)) {
      for (int size : List.of(0, 15, 17)) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[size]);
        assertThatIllegalArgumentException()
            .isThrownBy(() -> tensor.write(bytes))
            .withMessage("write tensor=COMPLEX64 [2] on host:0: bytes=" + size + ", expected 16");
        assertThatIllegalArgumentException()
            .isThrownBy(() -> tensor.read(bytes))
            .withMessage("read tensor=COMPLEX64 [2] on host:0: bytes=" + size + ", expected 16");
      }
    }
  }

  @Test
  void holdsNothingAfterACopyThatFails() {
    TestMemory memory = TestMemory.host(8);
    Tensor tensor = Tensor.of(memory, DataType.FLOAT, Shape.of(2));
    MemorySegment readOnly = MemorySegment.ofArray(new byte[8]).asReadOnly();

    assertThatIllegalArgumentException().isThrownBy(() -> tensor.read(readOnly));
    tensor.close();

    assertThat(memory.freed()).isOne();
  }
}
