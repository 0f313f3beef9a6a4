package dev.millrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.millrace.binding.StreamBinding;
import dev.millrace.error.DeviceException;
import dev.millrace.model.CompileOptions;
import dev.millrace.program.Arguments;
import dev.millrace.program.Run;
import dev.millrace.program.RunMode;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.Tensor;
import dev.millrace.testing.LogCapture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.LogRecord;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Row 7: of each chain of calls, each call of the driver fails in turn. How many there are is
 * counted in a chain in which none does.
 */
@DisplayName("Row 7: a chain of calls of which one fails leaves all as it was:")
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
public abstract class FaultContract {
  private static final Duration HANG = Duration.ofSeconds(30);

  /**
   * Which kind of device is tested.
   *
   * @return the kind
   */
  protected abstract DeviceUnderTest kind();

  private interface Chain {
    void run(Bench bench) throws Exception;
  }

  /** Something to be tried; {@code before} it nothing fails. */
  private record Scenario(String name, Chain before, Chain chain) {
    Scenario(String name, Chain chain) {
      this(name, bench -> {}, chain);
    }
  }

  private static List<Scenario> scenarios() {
    List<Scenario> all = new ArrayList<>(runs());
    all.addAll(bindings());
    all.addAll(others());
    return all;
  }

  private static List<Scenario> runs() {
    return List.of(
        new Scenario(
            "an external run",
            bench -> bench.closing(bench.add.program().runAsync(bench.arguments, bench.s))),
        new Scenario("a submission", bench -> bench.add.program().submit(bench.arguments, bench.s)),
        new Scenario(
            "an external run with outputs of its own",
            bench -> {
              try (Arguments incomplete = bench.add.arguments(2)) {
                bench.closing(bench.add.program().runAsync(incomplete, bench.s));
              }
            }),
        new Scenario(
            "a fork/join run",
            bench ->
                bench.closing(
                    bench.add.program().runAsync(bench.arguments, bench.s, RunMode.FORK_JOIN))),
        new Scenario(
            "a synchronous run", bench -> bench.closing(bench.add.program().run(bench.arguments))),
        new Scenario(
            "a synchronous run through a context",
            bench -> bench.closing(bench.add.program().run(bench.arguments, bench.context))),
        new Scenario("a warm-up", bench -> bench.add.program().warmUp(bench.arguments)),
        laneChange(RunMode.EXTERNAL),
        laneChange(RunMode.FORK_JOIN));
  }

  /** The lane's earlier run is held, until somebody has to wait for the lane after all. */
  private static Scenario laneChange(RunMode mode) {
    return new Scenario(
        "a run that follows another on its lane, mode=" + mode,
        bench -> {
          Gate gate = bench.closing(Gate.on(bench.s));
          bench.add.program().submit(bench.arguments, bench.s);
          bench.driver.before("synchronizeStream", gate::open);
        },
        bench -> {
          bench.closing(bench.add.program().runAsync(bench.arguments, bench.t, mode));
          bench.t.synchronize();
        });
  }

  private static List<Scenario> bindings() {
    return List.of(
        new Scenario(
            "a run under a bound context with three handles",
            bench -> {
              try (StreamBinding _ = bench.context.bind(bench.s)) {
                bench.closing(bench.add.program().runAsync(bench.arguments, bench.context));
              }
            }),
        new Scenario(
            "a run through a context that is not bound, with three handles",
            bench -> bench.closing(bench.add.program().runAsync(bench.arguments, bench.context))),
        new Scenario(
            "a binding in a binding",
            bench -> {
              try (StreamBinding _ = bench.context.bind(bench.s);
                  StreamBinding _ = bench.context.bind(bench.device.nullStream())) {
                assertThat(bench.context.current().isNull()).isTrue();
              }
            }),
        new Scenario(
            "an outer binding that is closed first",
            bench -> {
              StreamBinding outer = bench.context.bind(bench.s);
              try (StreamBinding _ = outer) {
                bench.context.bind(bench.t);
              }
            }),
        new Scenario(
            "a handle that is attached while bound",
            bench -> {
              LoggingHandle late = new LoggingHandle("late", bench.t.handle(), bench.moves);
              try (StreamBinding _ = bench.context.bind(bench.s)) {
                bench.context.attach(late);
              } finally {
                assertThat(late.stream()).isEqualTo(bench.t.handle());
              }
            }),
        new Scenario("waitFor", bench -> bench.context.waitFor(bench.s)),
        new Scenario("finishOn", bench -> bench.context.finishOn(bench.s)),
        new Scenario("a context's synchronize", bench -> bench.context.synchronize()));
  }

  private static List<Scenario> others() {
    return List.of(
        new Scenario(
            "a copy",
            bench -> {
              Tensor from = bench.arguments.input("a");
              Tensor to = bench.arguments.input("b");
              bench.s.copy(from, to);
              bench.s.synchronize();
            }),
        new Scenario("a call", bench -> bench.s.call(() -> {})),
        new Scenario(
            "a recorded event",
            bench -> {
              try (var event = bench.device.newEvent()) {
                bench.s.record(event);
                bench.t.waitFor(event);
                event.synchronize();
                assertThat(event.isDone()).isTrue();
              }
            }),
        new Scenario("a stream that is made and closed", bench -> bench.device.newStream().close()),
        new Scenario(
            "a context that is made and closed", bench -> bench.device.newContext().close()),
        new Scenario(
            "a program that is loaded",
            bench ->
                bench.closing(
                    AddProgram.load(
                        bench.kind, bench.device, CompileOptions.defaults().withLanes(2)))),
        new Scenario(
            "arguments that are made", bench -> bench.closing(bench.add.completeArguments(1))));
  }

  @TestFactory
  Stream<DynamicNode> eachCallFails() {
    return scenarios().stream()
        .map(scenario -> DynamicContainer.dynamicContainer(scenario.name, tests(scenario)));
  }

  private Stream<DynamicTest> tests(Scenario scenario) {
    List<DriverCall> calls = assertTimeoutPreemptively(HANG, () -> callsOf(scenario));
    return IntStream.rangeClosed(1, calls.size())
        .mapToObj(
            n ->
                DynamicTest.dynamicTest(
                    "call " + n + ": " + calls.get(n - 1).function(),
                    () -> assertTimeoutPreemptively(HANG, () -> failCall(scenario, n))));
  }

  /** Nothing can be as it was then; but everything is given back, and nobody hangs. */
  @TestFactory
  Stream<DynamicTest> eachCallFailsWhileADeviceClosesWhatWasForgotten() {
    List<DriverCall> calls = assertTimeoutPreemptively(HANG, () -> closeDevice(0));
    return IntStream.rangeClosed(1, calls.size())
        .mapToObj(
            n ->
                DynamicTest.dynamicTest(
                    "call " + n + ": " + calls.get(n - 1).function(),
                    () -> assertTimeoutPreemptively(HANG, () -> closeDevice(n))));
  }

  private List<DriverCall> closeDevice(int n) {
    try (LogCapture log = new LogCapture("dev.millrace");
        Bench bench = new Bench(kind())) {
      bench.driver.log().forget();
      bench.driver.log().failCall(n);
      Throwable thrown = thrownBy(one -> one.device.close(), bench);
      DriverCall failed = bench.driver.log().failed();
      if (failed != null) {
        assertThat(thrown != null || log.records().stream().anyMatch(FaultContract::isTold))
            .as("%s is thrown or logged", failed)
            .isTrue();
      }
      assertThat(bench.driver.liveStreams()).isEmpty();
      assertThat(bench.driver.liveEvents()).isEmpty();
      return bench.driver.log().mine();
    }
  }

  private static boolean isTold(LogRecord record) {
    return record.getThrown() instanceof DeviceException;
  }

  private List<DriverCall> callsOf(Scenario scenario) throws Exception {
    try (Bench bench = new Bench(kind())) {
      scenario.before.run(bench);
      bench.driver.log().forget();
      scenario.chain.run(bench);
      List<DriverCall> calls = bench.driver.log().mine();
      bench.assertAsBefore();
      assertThat(calls).isNotEmpty();
      return calls;
    }
  }

  private void failCall(Scenario scenario, int n) throws Exception {
    try (Bench bench = new Bench(kind())) {
      scenario.before.run(bench);
      bench.driver.log().failCall(n);
      Throwable thrown = thrownBy(scenario.chain, bench);
      DriverCall failed = bench.driver.log().failed();
      if (failed == null) {
        // Whoever lets go of a stream last destroys it: this time that was another thread.
        bench.driver.log().failCall(0);
        assertThat(thrown).as("what is thrown though no call failed").isNull();
      } else {
        assertThat(thrown).as("what is thrown").isNotNull();
        assertThat(thrown).matches(t -> names(t, failed.function()));
      }
      bench.assertAsBefore();
      bench.assertNothingPending();
      bench.assertWorks();
    }
  }

  private static @Nullable Throwable thrownBy(Chain chain, Bench bench) {
    try {
      chain.run(bench);
      return null;
    } catch (AssertionError e) {
      throw e;
    } catch (Throwable thrown) {
      return thrown;
    }
  }

  /** The exception itself says which call it was, in words too. */
  private static boolean names(@Nullable Throwable thrown, String function) {
    return thrown instanceof DeviceException failure
        && failure.function().equals(function)
        && String.valueOf(failure.getMessage()).contains(function)
        && failure.codeName().equals(FaultyDriver.ERROR);
  }

  @Test
  void failingToDestroyAStreamWhenItsLastRunIsDoneDisturbsNobody() throws Exception {
    try (Bench bench = new Bench(kind());
        LogCapture log = new LogCapture("dev.millrace")) {
      DeviceStream closed = bench.device.newStream();
      Run run;
      try (Gate _ = Gate.on(closed)) {
        run = bench.closing(bench.add.program().runAsync(bench.arguments, closed));
        closed.copy(bench.arguments.input("a"), bench.arguments.input("b"));
        closed.close();
        bench.driver.log().failCall("destroyStream", 1);
      }
      run.await();
      assertLogged(bench, log);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"destroyEvent", "destroyStream"})
  void failingToGiveBackWhatAProgramHadDisturbsNobody(String function) throws Exception {
    try (Bench bench = new Bench(kind());
        LogCapture log = new LogCapture("dev.millrace")) {
      AddProgram another = AddProgram.load(kind(), bench.device, CompileOptions.defaults());
      Run run;
      try (Gate _ = Gate.on(bench.s);
          Arguments arguments = another.arguments(1)) {
        run = bench.closing(another.program().runAsync(arguments, bench.s));
        another.close();
        bench.driver.log().failCall(function, 1);
      }
      run.await();
      assertLogged(bench, log);
    }
  }

  /** It failed where nobody could be told, so that the log says it, and all goes on. */
  private static void assertLogged(Bench bench, LogCapture log) {
    bench.driver.synchronize();
    assertThat(bench.driver.log().failed()).isNotNull();
    assertThat(log.records())
        .extracting(LogRecord::getThrown)
        .singleElement()
        .isInstanceOf(DeviceException.class);
    bench.assertAsBefore();
    bench.assertNothingPending();
    bench.assertWorks();
  }
}
