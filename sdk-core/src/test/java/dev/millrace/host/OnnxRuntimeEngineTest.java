package dev.millrace.host;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.millrace.handle.StreamOptions;
import dev.millrace.model.CompileOptions;
import dev.millrace.model.Model;
import dev.millrace.spi.DeviceDriver;
import dev.millrace.spi.DeviceFeatures;
import dev.millrace.spi.Engine;
import dev.millrace.spi.EngineLane;
import dev.millrace.spi.InFlightRun;
import dev.millrace.spi.LoadedProgram;
import dev.millrace.spi.PreparedArguments;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.DeviceMemory;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import dev.millrace.testing.OnnxGraph;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The engine behind its interface, where what a program does with it would hide the details. */
final class OnnxRuntimeEngineTest {
  private static final long NULL_STREAM = 0;

  private final Engine engine = new OnnxRuntimeEngine();
  private DeviceDriver driver;
  private final Arena arena = Arena.ofAuto();

  @BeforeEach
  void open() {
    driver = new HostProvider().open(0);
  }

  @AfterEach
  void close() {
    driver.close();
  }

  /** A run that keeps what went wrong. */
  private record Told(long id, List<Throwable> failures) implements InFlightRun {
    Told(long id) {
      this(id, new ArrayList<>());
    }

    @Override
    public void fail(Throwable failure) {
      failures.add(failure);
    }
  }

  /** How many of its input's elements are not zero is known only when it has run. */
  private static Model dataDependent() {
    return new OnnxGraph()
        .input("x", 1, OnnxGraph.UNKNOWN)
        .node("NonZero", List.of("x"), List.of("y"))
        .output("y", 7, 1, OnnxGraph.UNKNOWN)
        .toModel();
  }

  private Tensor floats(float... values) {
    MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_FLOAT, values);
    return Tensor.wrap(memory, DataType.FLOAT, Shape.of(values.length));
  }

  private static EngineLane lane(LoadedProgram program) {
    return program.newLane(
        (name, current, pointAt) -> {
          throw new AssertionError("ONNX Runtime has no handles: " + name);
        });
  }

  /** The driver with one method done otherwise. */
  private DeviceDriver with(String method, InvocationHandler instead) {
    return (DeviceDriver)
        Proxy.newProxyInstance(
            DeviceDriver.class.getClassLoader(),
            new Class<?>[] {DeviceDriver.class},
            (proxy, called, arguments) -> {
              if (called.getName().equals(method)) {
                return instead.invoke(proxy, called, arguments);
              }
              try {
                return called.invoke(driver, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }

  @Test
  void isFoundAsAService() {
    assertThat(ServiceLoader.load(Engine.class))
        .extracting(Engine::name)
        .contains(OnnxRuntimeEngine.NAME);
  }

  @Test
  void servesOnlyDevicesWithHostFunctions() {
    assertThat(engine.refusal(driver)).isEmpty();

    DeviceDriver gpu = with("features", (_, _, _) -> new DeviceFeatures(true, true, false));
    assertThat(engine.refusal(gpu)).get().asString().contains("host functions");
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> engine.load(dataDependent(), CompileOptions.defaults(), gpu))
        .withMessageContaining("device=host:0");
  }

  @Test
  void closesItsSessionOnlyWhenTheLastRunIsDone() {
    AtomicReference<LoadedProgram> loaded = new AtomicReference<>();
    AtomicReference<@Nullable Throwable> refused = new AtomicReference<>();
    DeviceDriver closing =
        with(
            "allocate", // which the engine does for an output, in the middle of a run
            (_, method, arguments) -> {
              try {
                loaded.get().close();
              } catch (IllegalStateException e) {
                refused.set(e);
              }
              return method.invoke(driver, arguments);
            });
    LoadedProgram program = engine.load(dataDependent(), CompileOptions.defaults(), closing);
    loaded.set(program);

    Told run = new Told(1);
    try (Tensor output = Tensor.pending(DataType.INT64, driver.id());
        PreparedArguments arguments = program.prepare(List.of(floats(1, 0, 1)), List.of(output));
        EngineLane lane = lane(program)) {
      lane.enqueue(arguments, NULL_STREAM, run);
      driver.synchronizeStream(NULL_STREAM, Long.MAX_VALUE);
      assertThat(run.failures()).isEmpty();
      assertThat(refused.get()).hasMessageContaining("a run is in flight");
      assertThat(output.readLongs()).containsExactly(0, 2);

      Told late = new Told(2);
      lane.enqueue(arguments, NULL_STREAM, late);
      driver.synchronizeStream(NULL_STREAM, Long.MAX_VALUE);
      assertThat(late.failures())
          .singleElement()
          .isInstanceOf(IllegalStateException.class)
          .asString()
          .contains("the program is closed");
    }
    program.close();
  }

  @Test
  void failsTheOutputsThatARunWouldHaveMade() {
    DeviceDriver poor =
        with(
            "allocate",
            (_, _, _) -> {
              throw new OutOfMemoryError("none left");
            });
    Told run = new Told(1);
    try (LoadedProgram program = engine.load(dataDependent(), CompileOptions.defaults(), poor);
        Tensor output = Tensor.pending(DataType.INT64, driver.id());
        PreparedArguments arguments = program.prepare(List.of(floats(1)), List.of(output));
        EngineLane lane = lane(program)) {
      lane.enqueue(arguments, NULL_STREAM, run);
      driver.synchronizeStream(NULL_STREAM, Long.MAX_VALUE);

      assertThat(run.failures()).singleElement().asString().contains("run=1", "none left");
      assertThatIllegalStateException()
          .isThrownBy(output::readLongs)
          .withMessageContaining("none left");
      assertThat(driver.takeFailures(NULL_STREAM)).isEmpty();
    }
  }

  @Test
  void givesBackWhatItAllocatedForAnOutputThatIsNoLongerPending() {
    AtomicReference<@Nullable DeviceMemory> allocated = new AtomicReference<>();
    DeviceDriver watched =
        with(
            "allocate",
            (_, method, arguments) -> {
              DeviceMemory memory = (DeviceMemory) method.invoke(driver, arguments);
              allocated.set(memory);
              return memory;
            });
    Told first = new Told(1);
    Told second = new Told(2);
    try (LoadedProgram program = engine.load(dataDependent(), CompileOptions.defaults(), watched);
        Tensor output = Tensor.pending(DataType.INT64, driver.id());
        PreparedArguments arguments = program.prepare(List.of(floats(1)), List.of(output));
        EngineLane lane = lane(program)) {
      lane.enqueue(arguments, NULL_STREAM, first);
      lane.enqueue(arguments, NULL_STREAM, second);
      driver.synchronizeStream(NULL_STREAM, Long.MAX_VALUE);

      assertThat(first.failures()).isEmpty();
      assertThat(second.failures()).singleElement().asString().contains("not pending");
      assertThat(output.readLongs()).containsExactly(0);
      assertThatIllegalStateException().isThrownBy(requireNonNull(allocated.get())::retain);
    }
  }

  @Test
  void refusesArgumentsOfAnotherProgram() {
    CompileOptions options = CompileOptions.defaults();
    Tensor tensor = floats(1);
    try (LoadedProgram first = engine.load(OnnxGraph.oneNode("Relu", 1, 1), options, driver);
        LoadedProgram second = engine.load(OnnxGraph.oneNode("Neg", 1, 1), options, driver);
        PreparedArguments arguments = first.prepare(List.of(tensor), List.of(tensor));
        EngineLane lane = lane(second)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> lane.enqueue(arguments, NULL_STREAM, new Told(1)))
          .withMessageContaining("another program");
    }
  }

  @Test
  void runsOnManyThreadsAtOnce() {
    Model model = OnnxGraph.oneNode("Neg", 1, 1000);
    long[] streams = new long[4];
    List<Tensor> outputs = new ArrayList<>();
    List<PreparedArguments> prepared = new ArrayList<>();
    Told told = new Told(1);
    try (LoadedProgram program = engine.load(model, CompileOptions.defaults(), driver);
        EngineLane lane = lane(program)) {
      for (int i = 0; i < streams.length; i++) {
        streams[i] = driver.createStream(StreamOptions.defaults());
        float[] values = new float[1000];
        Arrays.fill(values, i + 1);
        Tensor output = floats(new float[1000]);
        outputs.add(output);
        prepared.add(program.prepare(List.of(floats(values)), List.of(output)));
      }
      for (int round = 0; round < 250; round++) {
        for (int i = 0; i < streams.length; i++) {
          lane.enqueue(prepared.get(i), streams[i], told);
        }
      }
      for (int i = 0; i < streams.length; i++) {
        driver.synchronizeStream(streams[i], Long.MAX_VALUE);
        assertThat(outputs.get(i).readFloats()).containsOnly(-(i + 1));
        driver.destroyStream(streams[i]);
      }
      prepared.forEach(PreparedArguments::close);
    }
    assertThat(told.failures()).isEmpty();
  }
}
