package dev.millrace.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import ai.onnxruntime.OrtException;
import dev.millrace.error.DeviceException;
import dev.millrace.error.ModelException;
import dev.millrace.model.CompileOptions;
import dev.millrace.model.Model;
import dev.millrace.program.Arguments;
import dev.millrace.program.Program;
import dev.millrace.program.Run;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import dev.millrace.tensor.TensorSpec;
import dev.millrace.testing.OnnxGraph;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a program of ONNX Runtime's engine takes, gives and refuses. */
final class OnnxProgramTest {
  private static final int FLOAT = 1;
  private static final int INT64 = 7;

  private static Device host;

  private DeviceStream stream;

  @BeforeAll
  static void open() {
    host = Device.open("host");
  }

  @AfterAll
  static void close() {
    host.close();
  }

  @BeforeEach
  void makeStream() {
    stream = host.newStream();
  }

  @AfterEach
  void closeStream() {
    stream.close();
  }

  private static Program load(Model model) {
    return Program.load(model, host);
  }

  @Test
  void tellsNamesTypesAndShapesInTheModelsOrder() {
    Model model =
        new OnnxGraph()
            .input("b", FLOAT, 2, "N")
            .input("a", FLOAT, 2, OnnxGraph.UNKNOWN)
            .node("Add", List.of("b", "a"), List.of("z"))
            .node("Relu", List.of("z"), List.of("y"))
            .output("z", FLOAT, 2, OnnxGraph.UNKNOWN)
            .output("y", FLOAT, 2, OnnxGraph.UNKNOWN)
            .toModel();
    try (Program program = load(model)) {
      assertThat(program.inputs())
          .containsExactly(
              new TensorSpec("b", DataType.FLOAT, Shape.of(2, -1)),
              new TensorSpec("a", DataType.FLOAT, Shape.of(2, -1)));
      assertThat(program.outputs()).extracting(TensorSpec::name).containsExactly("z", "y");
    }
  }

  @Test
  void computesIntoTheTensorsThatItIsGiven() throws Exception {
    try (Program program = load(OnnxGraph.oneNode("Relu", FLOAT, 3));
        Arguments io = program.arguments();
        Arena arena = Arena.ofShared()) {
      MemorySegment memory = arena.allocate(12, 64);
      Tensor output = Tensor.wrap(memory, DataType.FLOAT, Shape.of(3));
      io.output("y", output);
      for (float value = 1; value < 4; value++) {
        io.input("x").write(new float[] {-value, 0, value});
        try (Run run = program.runAsync(io, stream)) {
          run.await();
          assertThat(run.output("y")).isSameAs(output);
          assertThat(output.readFloats()).containsExactly(0, 0, value);
        }
      }
    }
  }

  @Test
  void takesScalarsAndTensorsWithoutElements() throws Exception {
    for (Shape shape : List.of(Shape.of(), Shape.of(2, 0, 3), Shape.of(0))) {
      Object[] dims = Arrays.stream(shape.toArray()).boxed().toArray();
      try (Program program = load(OnnxGraph.oneNode("Relu", FLOAT, dims));
          Arguments io = program.arguments()) {
        float[] values = new float[(int) shape.elements()];
        Arrays.fill(values, 7);
        io.input("x").write(values);
        try (Run run = program.runAsync(io, stream)) {
          run.await();
          assertThat(run.output(0).shape()).isEqualTo(shape);
          assertThat(run.output(0).readFloats()).containsExactly(values);
        }
      }
    }
  }

  @Test
  void computesWithNaNAndInfinity() throws Exception {
    float[] values = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, -0f};
    try (Program program = load(OnnxGraph.oneNode("Neg", FLOAT, 4));
        Arguments io = program.arguments()) {
      io.input("x").write(values);
      try (Run run = program.run(io)) {
        assertThat(run.output(0).readFloats())
            .containsExactly(Float.NaN, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, 0f);
      }
    }
  }

  /** The number of non-zero elements, and so the output's shape, is known only after the run. */
  private static Model dataDependent() {
    return new OnnxGraph()
        .input("x", FLOAT, OnnxGraph.UNKNOWN)
        .node("NonZero", List.of("x"), List.of("y"))
        .output("y", INT64, 1, OnnxGraph.UNKNOWN)
        .toModel();
  }

  @Test
  void givesAnOutputWhoseShapeOnlyTheRunKnows() throws Exception {
    try (Program program = load(dataDependent());
        Arguments io = program.arguments()) {
      for (int nonZero = 0; nonZero < 4; nonZero++) {
        float[] values = new float[5];
        Arrays.fill(values, 0, nonZero, 1);
        io.allocateInput("x", Shape.of(5)).write(values);
        try (Run run = program.runAsync(io, stream)) {
          run.await();
          assertThat(run.output("y").shape()).isEqualTo(Shape.of(1, nonZero));
          assertThat(run.output("y").readLongs()).isEqualTo(LongStream.range(0, nonZero).toArray());
        }
      }
    }
  }

  @Test
  void feedsAPendingOutputToALaterProgramOnTheSameStream() throws Exception {
    Model negate =
        new OnnxGraph()
            .input("x", INT64, 1, OnnxGraph.UNKNOWN)
            .node("Neg", List.of("x"), List.of("y"))
            .output("y", INT64, 1, OnnxGraph.UNKNOWN)
            .toModel();
    try (Program first = load(dataDependent());
        Program second = load(negate);
        Arguments io = first.arguments();
        Arguments next = second.arguments()) {
      io.allocateInput("x", Shape.of(3)).write(new float[] {0, 5, 5});
      CountDownLatch held = new CountDownLatch(1);
      stream.call(() -> awaitUninterruptibly(held));
      Run run = first.runAsync(io, stream);
      Tensor between = run.output("y");
      assertThat(between.isPending()).isTrue();
      next.input("x", between);
      try (Run last = second.runAsync(next, stream)) {
        run.close(); // the later run keeps what it was given
        held.countDown();
        last.await();
        assertThat(last.output("y").readLongs()).containsExactly(-1, -2);
      }
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void takesAndGivesWhatTheModelLeavesWithoutARank() throws Exception {
    Model model =
        new OnnxGraph()
            .inputOfAnyRank("x", FLOAT)
            .node("Relu", List.of("x"), List.of("y"))
            .outputOfAnyRank("y", FLOAT)
            .toModel();
    try (Program program = load(model);
        Arguments io = program.arguments()) {
      assertThat(program.inputs().getFirst().shape().isRanked()).isFalse();
      assertThat(program.outputs().getFirst().shape().isRanked()).isFalse();
      for (Shape shape : List.of(Shape.of(), Shape.of(2), Shape.of(1, 2, 1))) {
        float[] values = new float[(int) shape.elements()];
        Arrays.fill(values, 3);
        io.allocateInput("x", shape).write(values);
        try (Run run = program.runAsync(io, stream)) {
          run.await();
          assertThat(run.output(0).shape()).isEqualTo(shape);
          assertThat(run.output(0).readFloats()).containsExactly(values);
        }
      }
    }
  }

  @Test
  void reportsARunThatFailsOnceAndRunsOn() throws Exception {
    Model model =
        new OnnxGraph()
            .input("data", FLOAT, 3)
            .input("indices", INT64, 1)
            .node("Gather", List.of("data", "indices"), List.of("y"))
            .node("NonZero", List.of("y"), List.of("where"))
            .output("y", FLOAT, 1)
            .output("where", INT64, 1, OnnxGraph.UNKNOWN)
            .toModel();
    try (Program program = load(model);
        Arguments io = program.arguments()) {
      io.input("data").write(new float[] {1, 2, 3});
      io.input("indices").write(new long[] {99});
      try (Run run = program.runAsync(io, stream)) {
        assertThatExceptionOfType(DeviceException.class)
            .isThrownBy(run::await)
            .withMessageContaining("program=" + model.name())
            .withMessageContaining("run=" + run.id())
            .withMessageContaining("OrtSession.run")
            .withRootCauseInstanceOf(OrtException.class);
        assertThatIllegalStateException()
            .isThrownBy(() -> run.output("where").shape())
            .withMessageContaining("failed");
      }
      stream.synchronize();
      io.input("indices").write(new long[] {1});
      try (Run run = program.runAsync(io, stream)) {
        run.await();
        assertThat(run.output("y").readFloats()).containsExactly(2);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DataType.class,
      names = {
        "UINT16",
        "UINT32",
        "UINT64",
        "FLOAT8E4M3FN",
        "FLOAT8E4M3FNUZ",
        "FLOAT8E5M2",
        "FLOAT8E5M2FNUZ",
        "INT4",
        "UINT4"
      })
  void refusesByNameAndTypeWhatTheBindingCannotPass(DataType type) {
    Model input =
        new OnnxGraph()
            .input("odd", type.onnx(), 2)
            .node("Cast", List.of("odd"), List.of("y"), "to", FLOAT)
            .output("y", FLOAT, 2)
            .opset(21)
            .toModel();
    assertThatExceptionOfType(ModelException.class)
        .isThrownBy(() -> load(input))
        .withMessageStartingWith("load model=" + input.name())
        .withMessageContaining("input=odd is of type " + type.name().toLowerCase(Locale.ROOT) + ",")
        .withMessageContaining("cannot feed");

    Model output =
        new OnnxGraph()
            .input("x", FLOAT, 2)
            .node("Cast", List.of("x"), List.of("odd"), "to", type.onnx())
            .output("odd", type.onnx(), 2)
            .opset(21)
            .toModel();
    assertThatExceptionOfType(ModelException.class)
        .isThrownBy(() -> load(output))
        .withMessageContaining(
            "output=odd is of type " + type.name().toLowerCase(Locale.ROOT) + ",")
        .withMessageContaining("cannot read");
  }

  @Test
  void refusesStringsSequencesAndOptionals() {
    Model strings = OnnxGraph.oneNode("Identity", 8, 2);
    assertThatExceptionOfType(ModelException.class)
        .isThrownBy(() -> load(strings))
        .withMessageContaining("input=x is of type string");
    Model sequence =
        new OnnxGraph()
            .sequenceInput("many", FLOAT)
            .node("SequenceLength", List.of("many"), List.of("y"))
            .output("y", INT64)
            .toModel();
    assertThatExceptionOfType(ModelException.class)
        .isThrownBy(() -> load(sequence))
        .withMessageContaining("input=many is of type sequence");
    Model optional =
        new OnnxGraph()
            .optionalInput("maybe", FLOAT)
            .node("OptionalHasElement", List.of("maybe"), List.of("y"))
            .output("y", 9)
            .opset(18)
            .toModel();
    assertThatExceptionOfType(ModelException.class)
        .isThrownBy(() -> load(optional))
        .withMessageContaining("Java binding cannot describe");
  }

  @Test
  void saysWhichOperatorOnnxRuntimeDoesNotKnow() {
    assertThatExceptionOfType(ModelException.class)
        .isThrownBy(() -> load(OnnxGraph.oneNode("NoSuchOperator", FLOAT, 2)))
        .withMessageContaining("ONNX Runtime refuses it")
        .withMessageContaining("NoSuchOperator")
        .withCauseInstanceOf(OrtException.class);
  }

  @Test
  void isTheSameWhetherOrNotItsLoadingIsInterrupted(@TempDir Path folder) throws IOException {
    OnnxGraph graph =
        new OnnxGraph()
            .input("x", FLOAT, "N")
            .node("Relu", List.of("x"), List.of("y"))
            .output("y", FLOAT, "N");
    Model model = Model.onnx(Files.write(folder.resolve("relu.onnx"), graph.toBytes()));
    Thread.currentThread().interrupt();
    try (Program program =
        Program.load(model, host, CompileOptions.defaults().withInputShape("x", Shape.of(7)))) {
      assertThat(Thread.interrupted()).isTrue();
      // Known only to whoever read that both dimensions are called N.
      assertThat(program.outputs().getFirst().shape()).isEqualTo(Shape.of(7));
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  void fixesShapesOfInputsAndWhatFollowsFromThem() {
    Model model =
        new OnnxGraph()
            .input("x", FLOAT, "N", 3, OnnxGraph.UNKNOWN)
            .node("Relu", List.of("x"), List.of("y"))
            .output("y", FLOAT, "N", 3, OnnxGraph.UNKNOWN)
            .toModel();
    CompileOptions options = CompileOptions.defaults().withInputShape("x", Shape.of(2, 3, 5));
    try (Program program = Program.load(model, host, options);
        Arguments io = program.arguments()) {
      assertThat(program.inputs().getFirst().shape()).isEqualTo(Shape.of(2, 3, 5));
      // The last dimension has no symbol by which ONNX Runtime could be told.
      assertThat(program.outputs().getFirst().shape()).isEqualTo(Shape.of(2, 3, -1));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> io.allocateInput("x", Shape.of(1, 3, 5)))
          .withMessageContaining("[2, 3, 5]");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "z | 2,3 | input=z",
        "x | 2,4 | shape=[2, 4]",
        "x | 2   | shape=[2]",
        "both | 2,7 | which is",
      })
  void refusesShapesThatContradictTheModel(String input, String dims, String message) {
    Model model =
        new OnnxGraph()
            .input("x", FLOAT, "N", 3)
            .input("both", FLOAT, "N", "N")
            .node("Relu", List.of("x"), List.of("y"))
            .output("y", FLOAT, "N", 3)
            .toModel();
    long[] sizes = Arrays.stream(dims.split(",")).mapToLong(Long::parseLong).toArray();
    CompileOptions options = CompileOptions.defaults().withInputShape(input, Shape.of(sizes));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Program.load(model, host, options))
        .withMessageContaining(message);
  }

  @Test
  void refusesATensorLargerThanAByteBuffer(@TempDir Path folder) throws IOException {
    long bytes = (1L << 31) + 8;
    try (Arena arena = Arena.ofShared();
        Program program = load(OnnxGraph.oneNode("Identity", 3, OnnxGraph.UNKNOWN));
        Arguments io = program.arguments()) {
      Tensor large = Tensor.wrap(sparse(folder, bytes, arena), DataType.INT8, Shape.of(bytes));
      io.input("x", large);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> program.runAsync(io, stream))
          .withMessageContaining("input=x")
          .withMessageContaining("bytes=" + bytes)
          .withMessageContaining("ByteBuffer");
    }
  }

  private static MemorySegment sparse(Path folder, long bytes, Arena arena) throws IOException {
    try (FileChannel file =
        FileChannel.open(
            folder.resolve("sparse"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      return file.map(MapMode.READ_WRITE, 0, bytes, arena);
    }
  }

  @Test
  void readsReadOnlyMemoryButRefusesToWriteIt(@TempDir Path folder) throws Exception {
    Path file = Files.write(folder.resolve("values"), new byte[64]);
    try (Arena arena = Arena.ofShared();
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        Program program = load(OnnxGraph.oneNode("Cos", FLOAT, 16));
        Arguments io = program.arguments()) {
      MemorySegment zeros = channel.map(MapMode.READ_ONLY, 0, 64, arena);
      io.input("x", Tensor.wrap(zeros, DataType.FLOAT, Shape.of(16)));
      try (Run run = program.runAsync(io, stream)) {
        run.await();
        assertThat(run.output(0).readFloats()).containsOnly(1);
      }
      io.output("y", Tensor.wrap(zeros, DataType.FLOAT, Shape.of(16)));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> program.runAsync(io, stream))
          .withMessageContaining("output=y")
          .withMessageContaining("read-only");
    }
  }

  @Test
  void costsNothingALaneAndCannotBeCaptured() {
    CompileOptions options = CompileOptions.defaults().withLanes(3);
    try (Program program = Program.load(OnnxGraph.oneNode("Relu", FLOAT, 1), host, options)) {
      assertThat(program.laneBytes()).isZero();
      assertThat(program.asyncCapability().isAsync()).isTrue();
      assertThat(program.asyncCapability().canCapture()).isFalse();
      assertThat(program.asyncCapability().reasons()).singleElement().asString().contains("host");
    }
  }
}
