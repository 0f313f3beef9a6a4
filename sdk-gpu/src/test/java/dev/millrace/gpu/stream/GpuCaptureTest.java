package dev.millrace.gpu.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.gpu.ffi.HipGraphs;
import dev.millrace.gpu.ffi.HipStreams;
import dev.millrace.gpu.testing.HipOnCpu;
import dev.millrace.gpu.testing.NeedsHipOnCpu;
import dev.millrace.program.CapturedRun;
import dev.millrace.program.RunMode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The application captures its stream natively, as another library would. */
@NeedsHipOnCpu
@Timeout(60)
@DisplayName("Row 16: an external run while the caller's stream is capturing")
final class GpuCaptureTest {
  private static final int THREAD_LOCAL = 1;
  private static final int KERNEL_NODE = 0;

  private GpuBench bench;
  private long stream;

  @BeforeEach
  void warmUp() {
    bench = new GpuBench();
    stream = bench.s.handle().address();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private long captured(Runnable work) {
    HipStreams.streamBeginCapture(stream, THREAD_LOCAL);
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      HipGraphs.graphDestroy(HipStreams.streamEndCapture(stream));
      throw e;
    }
    return HipStreams.streamEndCapture(stream);
  }

  private static long replayable(long graph) {
    long exec = HipGraphs.graphInstantiateWithFlags(graph, 0);
    HipGraphs.graphDestroy(graph);
    return exec;
  }

  private static int nodes(long graph) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
      HipGraphs.graphGetNodes(graph, 0, count.address());
      int nodes = (int) count.get(ValueLayout.JAVA_LONG, 0);
      MemorySegment all = arena.allocate(ValueLayout.JAVA_LONG, nodes);
      HipGraphs.graphGetNodes(graph, all.address(), count.address());
      for (int i = 0; i < nodes; i++) {
        long node = all.getAtIndex(ValueLayout.JAVA_LONG, i);
        assertThat(HipGraphs.graphNodeGetType(node)).isEqualTo(KERNEL_NODE);
      }
      return nodes;
    }
  }

  @Test
  void isPartOfEachReplayAndHasNoEventOfOurs() {
    CapturedRun[] run = new CapturedRun[1];
    HipOnCpu.reset();
    long graph = captured(() -> run[0] = bench.add.capture(bench.arguments, bench.s));
    assertThat(HipOnCpu.calls("hipEventRecord")).isZero();
    assertThat(HipOnCpu.calls("hipStreamWaitEvent")).isZero();
    assertThat(nodes(graph)).isEqualTo(1);
    long exec = replayable(graph);
    for (int number = 5; number < 8; number++) {
      GpuBench.fill(bench.arguments, number);
      HipGraphs.graphLaunch(exec, stream);
      bench.s.synchronize();
      bench.assertSum(number);
    }
    HipGraphs.graphExecDestroy(exec);
    run[0].close();
    bench.assertWorks();
  }

  @Test
  void keepsItsLaneUntilItIsClosed() {
    CapturedRun[] run = new CapturedRun[1];
    long graph = captured(() -> run[0] = bench.add.capture(bench.arguments, bench.s));
    HipGraphs.graphDestroy(graph);
    assertThatThrownBy(() -> bench.add.submit(bench.arguments, bench.t))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("captured runs keep its lanes=1");
    run[0].close();
    run[0].close();
    bench.assertWorks();
  }

  @ParameterizedTest
  @EnumSource(RunMode.class)
  void isRefusedAsAnOrdinaryRunAndTheCaptureGoesOn(RunMode mode) {
    CapturedRun[] run = new CapturedRun[1];
    long graph =
        captured(
            () -> {
              HipOnCpu.reset();
              assertThatThrownBy(() -> bench.add.runAsync(bench.arguments, bench.s, mode))
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining("Program.capture");
              assertThat(GpuBench.myCalls())
                  .extracting(HipOnCpu.Call::function)
                  .doesNotContain("hipModuleLaunchKernel", "hipEventRecord", "hipStreamWaitEvent");
              run[0] = bench.add.capture(bench.arguments, bench.s);
            });
    assertThat(nodes(graph)).isEqualTo(1);
    HipGraphs.graphDestroy(graph);
    run[0].close();
    bench.assertWorks();
  }

  @Test
  void isRefusedWhereNothingIsCaptured() {
    assertThatThrownBy(() -> bench.add.capture(bench.arguments, bench.s))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("which is not being captured");
    bench.assertWorks();
  }
}
