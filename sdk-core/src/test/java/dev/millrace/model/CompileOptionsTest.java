package dev.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.tensor.Shape;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompileOptionsTest {
  private static final EngineOption<Integer> LEVEL = EngineOption.of("ort.level", Integer.class);
  private static final EngineOption<String> MODE = EngineOption.of("ort.mode", String.class);

  @Test
  void defaultsAskForOneLaneAndNothingElse() {
    CompileOptions options = CompileOptions.defaults();

    assertThat(options.lanes()).isOne();
    assertThat(options.threadsPerRun()).isZero();
    assertThat(options.maxInFlight()).isZero();
    assertThat(options.inputShapes()).isEmpty();
    assertThat(options.engine()).isEmpty();
    assertThat(options.nodeProfile()).isFalse();
    assertThat(options.engineOptions()).isEmpty();
    assertThat(options).hasToString("lanes=1");
  }

  @Test
  void eachChangeIsACopyThatKeepsTheOthers() {
    CompileOptions all =
        CompileOptions.defaults()
            .withLanes(4)
            .withThreadsPerRun(2)
            .withMaxInFlight(8)
            .withInputShape("x", Shape.of(1, 3))
            .withInputShape("a", Shape.of())
            .withEngine("onnxruntime")
            .withNodeProfile()
            .with(LEVEL, 3)
            .with(MODE, "fast");

    assertThat(all.lanes()).isEqualTo(4);
    assertThat(all.threadsPerRun()).isEqualTo(2);
    assertThat(all.maxInFlight()).isEqualTo(8);
    assertThat(all.inputShapes()).containsEntry("x", Shape.of(1, 3)).hasSize(2);
    assertThat(all.engine()).contains("onnxruntime");
    assertThat(all.nodeProfile()).isTrue();
    assertThat(all.get(LEVEL)).contains(3);
    assertThat(all.get(MODE)).contains("fast");
    assertThat(all)
        .hasToString(
            "lanes=4 threadsPerRun=2 maxInFlight=8 engine=onnxruntime input.x=[1, 3] input.a=[]"
                + " nodeProfile=true ort.level=3 ort.mode=fast");
    assertThat(CompileOptions.defaults()).hasToString("lanes=1");
  }

  @Test
  void latterValueCounts() {
    CompileOptions options =
        CompileOptions.defaults()
            .withLanes(2)
            .withLanes(3)
            .withInputShape("x", Shape.of(1))
            .withInputShape("x", Shape.of(2))
            .with(LEVEL, 1)
            .with(LEVEL, 2);

    assertThat(options.lanes()).isEqualTo(3);
    assertThat(options.inputShapes()).containsOnly(Map.entry("x", Shape.of(2)));
    assertThat(options.get(LEVEL)).contains(2);
  }

  @Test
  void equalsOptionsWithTheSameValues() {
    CompileOptions one = CompileOptions.defaults().withLanes(2).with(LEVEL, 1);
    CompileOptions other =
        CompileOptions.defaults().with(EngineOption.of("ort.level", Integer.class), 1).withLanes(2);

    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
    assertThat(one).isNotEqualTo(other.withLanes(3));
    assertThat(one).isNotEqualTo(other.withNodeProfile());
    assertThat(one).isNotEqualTo(other.withEngine("migraphx"));
    assertThat(one).isNotEqualTo(other.with(LEVEL, 2));
    assertThat(one).isNotEqualTo(other.withInputShape("x", Shape.of()));
    assertThat(one).isNotEqualTo("lanes=2 ort.level=1");
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1025})
  void refusesLanesThatNoDeviceHas(int lanes) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CompileOptions.defaults().withLanes(lanes))
        .withMessage("lanes=" + lanes + ": expected 1 to 1024");
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0})
  void refusesNumbersBelowOne(int number) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CompileOptions.defaults().withThreadsPerRun(number))
        .withMessage("threadsPerRun=" + number + ": expected 1 to 1024");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CompileOptions.defaults().withMaxInFlight(number))
        .withMessage("maxInFlight=" + number + ": expected 1 or more");
  }

  @Test
  void takesTheLargestNumberOfLanes() {
    assertThat(CompileOptions.defaults().withLanes(1024).lanes()).isEqualTo(1024);
  }

  @Test
  void refusesAnOpenShapeAndBlankNames() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CompileOptions.defaults().withInputShape("x", Shape.of(-1, 3)))
        .withMessageContaining("input=x shape=[?, 3]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CompileOptions.defaults().withEngine(" "));
    assertThatIllegalArgumentException().isThrownBy(() -> EngineOption.of("", String.class));
  }

  @Test
  void givesOutNoMapThatCanBeChanged() {
    CompileOptions options = CompileOptions.defaults().withInputShape("x", Shape.of(1));

    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> options.inputShapes().clear());
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> options.engineOptions().clear());
  }
}
