package dev.millrace.gpu.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.millrace.binding.StreamBinding;
import dev.millrace.error.DeviceException;
import dev.millrace.gpu.testing.HipOnCpu;
import dev.millrace.gpu.testing.Live;
import dev.millrace.gpu.testing.NeedsHipOnCpu;
import dev.millrace.program.Program;
import dev.millrace.program.RunMode;
import dev.millrace.stream.DeviceEvent;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.MemoryKind;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import dev.millrace.testing.LogCapture;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Row 7, below the driver: of each chain, each native call of the calling thread fails in turn.
 * Which there are is read from the log of a chain in which none does.
 */
@NeedsHipOnCpu
@DisplayName("A chain of which one native call fails leaves all as it was:")
final class GpuFaultTest {
  private static final Duration HANG = Duration.ofSeconds(20);
  private static final int INVALID_VALUE = 1;

  private interface Chain {
    void run(GpuBench bench) throws Exception;
  }

  private record Scenario(String name, Chain before, Chain chain) {
    Scenario(String name, Chain chain) {
      this(name, bench -> {}, chain);
    }
  }

  /** A call that shall fail: the n-th of a function. */
  private record Fault(String function, int nth) {}

  private static List<Scenario> scenarios() {
    return List.of(
        new Scenario(
            "an external run", bench -> bench.add.runAsync(bench.arguments, bench.s).close()),
        new Scenario("a submission", bench -> bench.add.submit(bench.arguments, bench.s)),
        new Scenario(
            "a fork/join run",
            bench -> bench.hold(bench.s),
            bench ->
                bench.whileHeld(
                    () -> bench.add.runAsync(bench.arguments, bench.s, RunMode.FORK_JOIN).close())),
        new Scenario("a synchronous run", bench -> bench.add.run(bench.arguments).close()),
        new Scenario(
            "a run under a bound context",
            bench -> {
              try (StreamBinding _ = bench.context.bind(bench.s)) {
                bench.add.runAsync(bench.arguments, bench.context).close();
              }
            }),
        new Scenario(
            "a run on another stream than the lane's last",
            bench -> {
              bench.hold(bench.s);
              bench.add.submit(bench.arguments, bench.s);
            },
            bench -> bench.whileHeld(() -> bench.add.submit(bench.arguments, bench.t))),
        new Scenario("copies through a pinned buffer", GpuFaultTest::copyBothWays),
        new Scenario(
            "writing and reading",
            bench -> {
              GpuBench.fill(bench.arguments, 3);
              bench.arguments.input("a").readFloats();
            }),
        new Scenario("a call", bench -> bench.s.call(() -> {})),
        new Scenario("a synchronize", bench -> bench.s.synchronize()),
        new Scenario("a question", bench -> bench.s.isIdle()),
        new Scenario("a stream that is made and closed", bench -> bench.device.newStream().close()),
        new Scenario("an event", GpuFaultTest::useAnEvent),
        new Scenario("memory", GpuFaultTest::allocateAll),
        new Scenario(
            "a program",
            bench -> {
              try (Program another = bench.newProgram()) {
                assertThat(another.lanes()).isOne();
              }
            }));
  }

  private static void copyBothWays(GpuBench bench) {
    Shape shape = Shape.of(4);
    try (Tensor host = bench.device.allocate(DataType.FLOAT, shape, MemoryKind.HOST)) {
      bench.s.copy(host, bench.arguments.input("a"));
      bench.s.copy(bench.arguments.input("a"), host);
      bench.s.synchronize();
    }
  }

  private static void useAnEvent(GpuBench bench) {
    try (DeviceEvent event = bench.device.newEvent()) {
      bench.s.record(event);
      bench.t.waitFor(event);
      event.synchronize();
      assertThat(event.isDone()).isTrue();
    }
  }

  private static void allocateAll(GpuBench bench) {
    for (MemoryKind kind : MemoryKind.values()) {
      bench.device.allocate(DataType.FLOAT, Shape.of(10), kind).close();
    }
  }

  @TestFactory
  Stream<DynamicNode> eachCallFails() {
    return scenarios().stream()
        .map(scenario -> DynamicContainer.dynamicContainer(scenario.name, tests(scenario)));
  }

  private static Stream<DynamicTest> tests(Scenario scenario) {
    List<Fault> faults = assertTimeoutPreemptively(HANG, () -> faultsOf(scenario));
    return faults.stream()
        .map(
            fault ->
                DynamicTest.dynamicTest(
                    fault.function + " " + fault.nth,
                    () -> assertTimeoutPreemptively(HANG, () -> fail(scenario, fault))));
  }

  private static List<Fault> faultsOf(Scenario scenario) throws Exception {
    try (GpuBench bench = new GpuBench()) {
      scenario.before.run(bench);
      HipOnCpu.reset();
      scenario.chain.run(bench);
      Map<String, Integer> count = new HashMap<>();
      List<Fault> faults =
          GpuBench.myCalls().stream()
              .map(
                  call -> new Fault(call.function(), count.merge(call.function(), 1, Integer::sum)))
              .filter(fault -> !fault.function.equals("hipGetErrorName"))
              .toList();
      assertThat(faults).isNotEmpty();
      return faults;
    }
  }

  private static void fail(Scenario scenario, Fault fault) throws Exception {
    Live live = Live.now();
    try (LogCapture log = new LogCapture("dev.millrace")) {
      try (GpuBench bench = new GpuBench()) {
        scenario.before.run(bench);
        HipOnCpu.reset();
        HipOnCpu.fail(fault.function, fault.nth, INVALID_VALUE);
        Throwable thrown = thrownBy(scenario.chain, bench);
        bench.open();
        boolean failed = HipOnCpu.log().stream().anyMatch(call -> isFault(call, fault));
        HipOnCpu.reset(); // a chain whose threads met otherwise made fewer of these calls
        bench.device.driver().synchronize();
        if (!failed) {
          assertThat(thrown).isNull();
        } else if (thrown == null) {
          assertThat(log.records()).as("%s is thrown or logged", fault).isNotEmpty();
        } else {
          assertThat(thrown).matches(one -> names(one, fault.function), "names " + fault);
        }
        bench.assertAsBefore();
        bench.assertWorks();
      }
    }
    live.assertNothingIsLeft();
  }

  private static boolean isFault(HipOnCpu.Call call, Fault fault) {
    return call.function().equals(fault.function) && call.status() == INVALID_VALUE;
  }

  private static @Nullable Throwable thrownBy(Chain chain, GpuBench bench) {
    try {
      chain.run(bench);
      return null;
    } catch (AssertionError e) {
      throw e;
    } catch (Throwable thrown) {
      return thrown;
    }
  }

  private static boolean names(@Nullable Throwable thrown, String function) {
    return thrown instanceof DeviceException failure
        && failure.function().equals(function)
        && String.valueOf(failure.getMessage()).contains(function)
        && failure.codeName().equals("hipErrorInvalidValue");
  }
}
