package dev.millrace.profiler.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import org.junit.jupiter.api.Test;

final class PostprocessingTest {
  private static final int BLANK = 0;

  @Test
  void leavesOutBlanksAndRepeatsOfARecogniser() {
    assertThat(text(BLANK, 2, 2, BLANK, 2, 1, 1, BLANK)).isEqualTo(text(2, BLANK, 2, 1));
    assertThat(text(2, 2, 1)).isNotEqualTo(text(2, BLANK, 2, 1));
    assertThat(text(BLANK, BLANK)).isEqualTo(text());
  }

  @Test
  void findsTheGreatestNumberOfAClassifier() {
    try (Tensor output = floats(Shape.of(1, 4), -3, 0.5f, 7, -1)) {
      assertThat(Postprocessing.answer(output)).isEqualTo(2);
    }
  }

  @Test
  void tellsNumbersOfOtherTypesApart() {
    try (Tensor one = bytes(1, 2, 3);
        Tensor same = bytes(1, 2, 3);
        Tensor other = bytes(1, 3, 2)) {
      assertThat(Postprocessing.answer(one)).isEqualTo(Postprocessing.answer(same));
      assertThat(Postprocessing.answer(one)).isNotEqualTo(Postprocessing.answer(other));
    }
  }

  /** The answer for time steps whose best classes are these. */
  private static long text(int... best) {
    float[] values = new float[3 * best.length];
    for (int step = 0; step < best.length; step++) {
      values[3 * step + best[step]] = 0.9f;
    }
    try (Tensor output = floats(Shape.of(1, best.length, 3), values)) {
      return Postprocessing.answer(output);
    }
  }

  private static Tensor floats(Shape shape, float... values) {
    FloatBuffer memory =
        ByteBuffer.allocateDirect(4 * values.length).order(ByteOrder.nativeOrder()).asFloatBuffer();
    return Tensor.wrap(memory.put(values).flip(), shape);
  }

  private static Tensor bytes(int... values) {
    ByteBuffer memory = ByteBuffer.allocateDirect(values.length);
    for (int value : values) {
      memory.put((byte) value);
    }
    return Tensor.wrap(memory.flip(), Shape.of(values.length));
  }
}
