package dev.millrace.gpu.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.millrace.binding.StreamBinding;
import dev.millrace.gpu.testing.HipOnCpu;
import dev.millrace.gpu.testing.NeedsHipOnCpu;
import dev.millrace.program.RunMode;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Row 17, by the native calls that a thread makes. */
@NeedsHipOnCpu
@Timeout(60)
@DisplayName("An external run of a warm lane")
final class GpuFrugalityTest {
  /** All that such a run may need: the device there and back, the work, its event, a join. */
  private static final Set<String> ALLOWED =
      Set.of(
          "hipGetDevice",
          "hipSetDevice",
          "hipModuleLaunchKernel",
          "hipEventRecord",
          "hipStreamWaitEvent",
          "hipStreamIsCapturing");

  private static final int SUBMISSIONS = 3_200;

  /** As many as a lane keeps ready. */
  private static final int IN_FLIGHT = 2;

  private GpuBench bench;

  @BeforeEach
  void warmUp() {
    bench = new GpuBench();
    for (int i = 0; i < 3; i++) {
      bench.add.submit(bench.arguments, bench.s);
      bench.s.synchronize();
      bench.device.driver().synchronize();
    }
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private List<HipOnCpu.Call> callsOf(Runnable run) {
    HipOnCpu.reset();
    run.run();
    return GpuBench.myCalls();
  }

  private void assertFrugal(Runnable run) {
    List<HipOnCpu.Call> calls = callsOf(run);
    assertThat(calls).isNotEmpty().noneMatch(HipOnCpu.Call::isOnNullStream);
    assertThat(calls).extracting(HipOnCpu.Call::function).isSubsetOf(ALLOWED);
    assertThat(calls)
        .filteredOn(call -> call.function().equals("hipModuleLaunchKernel"))
        .hasSize(1);
    assertThat(calls).filteredOn(call -> call.function().equals("hipEventRecord")).hasSize(1);
  }

  @Test
  void neitherWaitsNorAsksNorAllocatesNorTouchesTheNullStream() {
    assertFrugal(() -> bench.add.submit(bench.arguments, bench.s));
    bench.s.synchronize();
    bench.device.driver().synchronize();
    assertFrugal(() -> bench.add.runAsync(bench.arguments, bench.s).close());
  }

  @Test
  void alsoNotWhenItFollowsARunOnAnotherStream() {
    bench.hold(bench.t);
    bench.add.submit(bench.arguments, bench.t);
    assertFrugal(() -> bench.add.submit(bench.arguments, bench.s));
    bench.open();
  }

  @Test
  void alsoNotUnderABoundContext() {
    bench.handle.setStream(bench.s.handle());
    try (StreamBinding _ = bench.context.bind(bench.s)) {
      assertFrugal(() -> bench.add.runAsync(bench.arguments, bench.context).close());
    }
    bench.handle.setStream(bench.device.nullStream().handle());
  }

  @Test
  void comparesWithForkJoinByTwoEventsMore() {
    bench.hold(bench.s);
    List<HipOnCpu.Call> calls =
        callsOf(() -> bench.add.runAsync(bench.arguments, bench.s, RunMode.FORK_JOIN).close());
    bench.open();
    assertThat(calls)
        .extracting(HipOnCpu.Call::function)
        .filteredOn(function -> function.equals("hipEventRecord"))
        .hasSize(2);
    assertThat(calls)
        .extracting(HipOnCpu.Call::function)
        .filteredOn(function -> function.equals("hipStreamWaitEvent"))
        .hasSize(2);
  }

  @Test
  void leavesTheDeviceUnaskedWhileNothingIsOutstanding() throws Exception {
    bench.add.submit(bench.arguments, bench.s);
    bench.s.synchronize();
    bench.device.driver().synchronize();
    HipOnCpu.reset();
    Thread.sleep(50);
    assertThat(HipOnCpu.calls("hipEventQuery")).isZero();
  }

  @Test
  void allocatesNothingOnTheHeap() {
    submitMany();
    long best = Long.MAX_VALUE;
    for (int i = 0; i < 10; i++) { // the runtime itself allocates now and then while it compiles
      best = Math.min(best, submitMany());
    }
    assertThat(best).as("bytes of %s submissions", SUBMISSIONS).isLessThan(SUBMISSIONS);
  }

  /** Gives the bytes that the submissions allocated; waiting for them is not counted. */
  private long submitMany() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long bytes = 0;
    for (int i = 0; i < SUBMISSIONS; i += IN_FLIGHT) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int j = 0; j < IN_FLIGHT; j++) {
        bench.add.submit(bench.arguments, bench.s);
      }
      bytes += threads.getCurrentThreadAllocatedBytes() - before;
      bench.s.synchronize();
      bench.device.driver().synchronize();
    }
    return bytes;
  }
}
