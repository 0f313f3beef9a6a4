package dev.millrace.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.millrace.testing.Seeds;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShapeTest {
  private static final long[] DIMS = {
    -1, 0, 1, 1, 2, 3, 3, 7, 320, 1L << 31, 1L << 40, Long.MAX_VALUE
  };

  @Test
  void scalarHasOneElementAndNoDimension() {
    Shape scalar = Shape.of();

    assertThat(scalar.rank()).isZero();
    assertThat(scalar.elements()).isOne();
    assertThat(scalar.isStatic()).isTrue();
    assertThat(scalar).hasToString("[]");
  }

  @Test
  void readsAsAListWithQuestionMarks() {
    assertThat(Shape.of(1, 3, Shape.UNKNOWN, 320)).hasToString("[1, 3, ?, 320]");
  }

  @ParameterizedTest
  @ValueSource(longs = {-2, Long.MIN_VALUE})
  void refusesANegativeDimension(long dim) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shape.of(1, dim))
        .withMessageContaining("[1, " + dim + "]");
  }

  @Test
  void keepsNoArrayOfItsCaller() {
    long[] dims = {2, 3};
    Shape shape = Shape.of(dims);

    dims[0] = 5;
    shape.toArray()[1] = 7;

    assertThat(shape).isEqualTo(Shape.of(2, 3));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 2})
  void refusesAnAxisThatItDoesNotHave(int axis) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shape.of(2, 3).dim(axis))
        .withMessage("axis=" + axis + " of shape=[2, 3]: expected 0 to 1");
  }

  @Test
  void scalarHasNoAxis() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shape.of().dim(0))
        .withMessage("axis=0 of shape=[]: a scalar has no axis");
  }

  @Test
  void doesNotCountElementsWhileADimensionIsUnknown() {
    // Not even beside a zero: the number is only known to be 0 once every dimension is.
    assertThatIllegalStateException()
        .isThrownBy(() -> Shape.of(0, -1).elements())
        .withMessageContaining("[0, ?]");
  }

  @Test
  void countsNoElementsBesideDimensionsWhoseProductOverflows() {
    assertThat(Shape.of(Long.MAX_VALUE, 0, Long.MAX_VALUE).elements()).isZero();
  }

  @Test
  void countsUpToTheLargestLong() {
    assertThat(Shape.of(Long.MAX_VALUE, 1).elements()).isEqualTo(Long.MAX_VALUE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shape.of(1L << 32, 1L << 31).elements())
        .withMessageContaining("[4294967296, 2147483648]");
  }

  @Test
  void behavesLikeAListOfBigIntegers(TestInfo info) {
    Seeds.of(info)
        .forEach(
            3_000,
            random -> {
              long[] dims = dims(random);
              Shape shape = Shape.of(dims);
              assertThat(shape.toArray()).isEqualTo(dims);
              assertThat(shape.rank()).isEqualTo(dims.length);
              for (int axis = 0; axis < dims.length; axis++) {
                assertThat(shape.dim(axis)).isEqualTo(dims[axis]);
              }
              assertThat(shape.isStatic()).isEqualTo(!list(dims).contains(-1L));
              assertThat(shape).hasToString(list(dims).toString().replaceAll("-1(?=[,\\]])", "?"));
              assertElements(shape, dims);
            });
  }

  private static void assertElements(Shape shape, long[] dims) {
    BigInteger product =
        Arrays.stream(dims)
            .mapToObj(BigInteger::valueOf)
            .reduce(BigInteger.ONE, BigInteger::multiply);
    if (list(dims).contains(-1L)) {
      assertThatIllegalStateException().isThrownBy(shape::elements);
    } else if (product.bitLength() > 63) {
      assertThatIllegalArgumentException().isThrownBy(shape::elements);
    } else {
      assertThat(shape.elements()).isEqualTo(product.longValueExact());
    }
  }

  @Test
  void acceptsAndEqualsDimensionByDimension(TestInfo info) {
    Seeds.of(info)
        .forEach(
            3_000,
            random -> {
              long[] dims = dims(random);
              long[] others = random.nextInt(8) == 0 ? dims(random) : mutated(dims, random);
              boolean accepts = dims.length == others.length;
              for (int axis = 0; accepts && axis < dims.length; axis++) {
                accepts = dims[axis] == -1 || dims[axis] == others[axis];
              }
              Shape shape = Shape.of(dims);
              Shape other = Shape.of(others);
              assertThat(shape.accepts(other)).isEqualTo(accepts);
              assertThat(shape.equals(other)).isEqualTo(list(dims).equals(list(others)));
              assertThat(shape).hasSameHashCodeAs(Shape.of(dims));
              assertThat(shape.accepts(shape)).isTrue();
            });
  }

  @Test
  void isNotEqualToAnArrayOfItsDimensions() {
    assertThat(Shape.of(2, 3)).isNotEqualTo(List.of(2L, 3L)).isNotEqualTo(null);
  }

  private static long[] dims(SplittableRandom random) {
    return random.ints(random.nextInt(6), 0, DIMS.length).mapToLong(i -> DIMS[i]).toArray();
  }

  private static long[] mutated(long[] dims, SplittableRandom random) {
    long[] copy = dims.clone();
    if (copy.length > 0 && random.nextBoolean()) {
      copy[random.nextInt(copy.length)] = DIMS[random.nextInt(DIMS.length)];
    }
    return copy;
  }

  private static List<Long> list(long[] dims) {
    return Arrays.stream(dims).boxed().toList();
  }
}
