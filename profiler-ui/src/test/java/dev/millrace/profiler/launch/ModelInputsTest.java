package dev.millrace.profiler.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import dev.millrace.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ModelInputsTest {
  private static final TensorSpec IMAGE =
      new TensorSpec("x", DataType.FLOAT, Shape.of(-1, 3, 48, -1));

  @Test
  void openDimensionsGetWhatTheirPlaceSuggests() {
    TensorSpec tokens = new TensorSpec("ids", DataType.INT64, Shape.of(-1, -1));
    TensorSpec pixels = new TensorSpec("p", DataType.FLOAT, Shape.of(-1, -1, -1, -1));
    assertThat(InputShapes.of(List.of(IMAGE, tokens, pixels), Map.of()))
        .containsEntry("x", Shape.of(1, 3, 48, 224))
        .containsEntry("ids", Shape.of(1, 16))
        .containsEntry("p", Shape.of(1, 3, 224, 224));
  }

  @Test
  void askedShapesAreTakenWhereTheModelAcceptsThem() {
    Shape asked = Shape.of(2, 3, 48, 320);
    assertThat(InputShapes.of(List.of(IMAGE), Map.of("x", asked))).containsEntry("x", asked);
    assertThatThrownBy(() -> InputShapes.of(List.of(IMAGE), Map.of("x", Shape.of(1, 3, 47, 320))))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("--shape x=");
    assertThatThrownBy(() -> InputShapes.of(List.of(IMAGE), Map.of("y", asked)))
        .isInstanceOf(MisuseException.class)
        .hasMessageContaining("--shape y: the model's inputs are");
  }

  @Test
  void picturesBecomeNumbersFromMinusOneToOneColoursOutermost() {
    SplittableRandom bytes = new SplittableRandom(3);
    byte[] pixels = new byte[12];
    bytes.nextBytes(pixels);
    try (Tensor tensor = tensor(DataType.FLOAT, Shape.of(1, 3, 2, 2))) {
      new Preprocessing(tensor, new SplittableRandom(3)).run();
      float[] values = tensor.readFloats();
      for (int pixel = 0; pixel < 4; pixel++) {
        for (int colour = 0; colour < 3; colour++) {
          float expected = ((pixels[3 * pixel + colour] & 0xff) - 127.5f) / 127.5f;
          assertThat(values[4 * colour + pixel]).isEqualTo(expected).isBetween(-1f, 1f);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(DataType.class)
  void everyElementTypeCanBeFilled(DataType type) {
    try (Tensor tensor = tensor(type, Shape.of(4, 16))) {
      new Preprocessing(tensor, new SplittableRandom(5)).run();
      byte[] bytes = new byte[(int) tensor.byteSize()];
      tensor.read(MemorySegment.ofArray(bytes));
      assertThat(bytes).as("not all zero").containsAnyOf(1, 0x3f, 0x7f, (byte) 0xbf);
    }
  }

  private static Tensor tensor(DataType type, Shape shape) {
    ByteBuffer memory =
        ByteBuffer.allocateDirect((int) type.byteSize(shape.elements()))
            .order(ByteOrder.nativeOrder());
    return Tensor.wrap(memory, type, shape);
  }
}
