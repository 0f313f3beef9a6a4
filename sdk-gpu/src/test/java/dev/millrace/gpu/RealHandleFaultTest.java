package dev.millrace.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.millrace.binding.StreamBinding;
import dev.millrace.binding.StreamBound;
import dev.millrace.error.DeviceException;
import dev.millrace.gpu.ffi.HipDevices;
import dev.millrace.gpu.testing.HipOnCpu;
import dev.millrace.gpu.testing.Live;
import dev.millrace.gpu.testing.NeedsRealLibraries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Row 7 with AMD's own libraries: of a binding in a binding with a run in each, each call of HIP
 * fails in turn, the libraries' own calls among them. Which there are is read from the log.
 */
@NeedsRealLibraries
@DisplayName("With handles of AMD's libraries, a native call that fails")
final class RealHandleFaultTest {
  private static final Duration HANG = Duration.ofSeconds(30);
  private static final int INVALID_VALUE = 1;

  /** A call that shall fail: the n-th of a function. */
  private record Fault(String function, int nth, String caller) {}

  private static RealHandles handles;

  @BeforeAll
  static void makeHandles() {
    handles = RealHandles.onDevice1();
  }

  @AfterAll
  static void giveHandlesBack() {
    handles.close();
  }

  private static void chain(RealBench bench) {
    try (StreamBinding _ = bench.context.bind(bench.s)) {
      bench.run();
      try (StreamBinding _ = bench.context.bind(bench.t)) {
        bench.run();
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> leavesEachHandleWhereItWasOrRefused() {
    return faults().stream()
        .map(
            fault ->
                DynamicTest.dynamicTest(
                    fault.function + " " + fault.nth + " by " + fault.caller,
                    () -> assertTimeoutPreemptively(HANG, () -> fail(fault))));
  }

  private static List<Fault> faults() {
    Map<String, Integer> count = new HashMap<>();
    try (RealBench bench = new RealBench(handles)) {
      List<Fault> faults =
          RealBench.callsOf(() -> chain(bench)).stream()
              .map(call -> new Fault(call.function(), next(count, call), call.caller()))
              .filter(fault -> !fault.function.equals("hipGetErrorName"))
              .toList();
      assertThat(faults).extracting(Fault::caller).contains("-").hasSizeGreaterThan(20);
      return faults;
    }
  }

  private static int next(Map<String, Integer> count, HipOnCpu.Call call) {
    return count.merge(call.function(), 1, Integer::sum);
  }

  private static void fail(Fault fault) {
    int current = HipDevices.currentDevice();
    Live before = Live.now();
    try (RealBench bench = new RealBench(handles)) {
      HipOnCpu.reset();
      HipOnCpu.fail(fault.function, fault.nth, INVALID_VALUE);
      Throwable thrown = thrownByChain(bench);
      HipOnCpu.reset();
      bench.device.driver().synchronize();
      if (thrown == null) {
        bench.assertHandlesAreOn(bench.home); // a library that made nothing of it
      } else {
        assertThat(thrown).isInstanceOf(DeviceException.class);
      }
      assertThat(bench.context.isExternal()).isFalse();
      assertThat(HipDevices.currentDevice()).as("current device").isEqualTo(current);
      takeOutWhatIsRefused(bench, thrown);
      bench.assertHandlesAreOn(bench.home);
      bench.assertWorks();
    }
    assertThat(Live.now()).as("what is left").isEqualTo(before);
  }

  /** A handle that could not be put back is refused by name, until it is taken out. */
  private static void takeOutWhatIsRefused(RealBench bench, @Nullable Throwable thrown) {
    List<StreamBound> away = new ArrayList<>(bench.handles.participants());
    away.removeIf(handle -> handle.stream().equals(bench.home.handle()));
    for (String refusal = refusal(bench); !refusal.isEmpty(); refusal = refusal(bench)) {
      StreamBound handle = named(bench, refusal);
      assertThat(thrown).as("what was thrown before: " + refusal).isNotNull();
      bench.context.detach(handle);
      handle.setStream(bench.home.handle());
      bench.context.attach(handle);
      away.remove(handle);
    }
    assertThat(away).as("not where they were, and not refused").isEmpty();
  }

  private static String refusal(RealBench bench) {
    try {
      bench.context.bind(bench.s).close();
      return "";
    } catch (IllegalStateException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static StreamBound named(RealBench bench, String refusal) {
    return bench.handles.participants().stream()
        .filter(handle -> refusal.contains("participant=" + handle.name()))
        .findFirst()
        .orElseThrow(() -> new AssertionError(refusal));
  }

  private static @Nullable Throwable thrownByChain(RealBench bench) {
    try {
      chain(bench);
      return null;
    } catch (RuntimeException thrown) {
      return thrown;
    }
  }
}
