package dev.millrace.gpu.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.millrace.error.DeviceException;
import dev.millrace.gpu.testing.HipOnCpu;
import dev.millrace.gpu.testing.NeedsHipOnCpu;
import dev.millrace.program.Run;
import dev.millrace.testing.LogCapture;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A device that is lost: its runs fail, everything says so, and nothing hangs. */
@NeedsHipOnCpu
@DisplayName("A lost device")
final class GpuLossTest {
  private static final Duration HANG = Duration.ofSeconds(20);
  private static final int ILLEGAL_ADDRESS = 700;
  private static final int INVALID_VALUE = 1;

  /** A device that was lost while a run was in flight; the stand-in itself still works. */
  private static final class Lost implements AutoCloseable {
    final LogCapture log = new LogCapture("dev.millrace");
    final GpuBench bench = new GpuBench();
    final Run run;
    final CompletableFuture<Run> completion;

    Lost(int status) {
      bench.hold(bench.s);
      run = bench.add.runAsync(bench.arguments, bench.s);
      completion = run.completion();
      HipOnCpu.fail("hipEventQuery", 1, status);
      assertThatThrownBy(completion::join)
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(DeviceException.class)
          .hasMessageContaining("run=" + run.id());
    }

    @Override
    public void close() {
      bench.close();
      log.close();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {214, ILLEGAL_ADDRESS, 702, 710, 719, 999})
  void failsTheRunsInFlight(int status) {
    assertTimeoutPreemptively(
        HANG,
        () -> {
          try (Lost lost = new Lost(status)) {
            assertThat(lost.run.isDone()).isTrue();
            assertThatThrownBy(lost.run::await)
                .isInstanceOf(DeviceException.class)
                .hasStackTraceContaining("hipEventQuery");
            assertThat(lost.log.records())
                .filteredOn(record -> record.getMessage().contains("is lost"))
                .hasSize(1);
          }
        });
  }

  @Test
  void saysInEachLaterCallWhatWasFirst() {
    assertTimeoutPreemptively(
        HANG,
        () -> {
          try (Lost lost = new Lost(ILLEGAL_ADDRESS)) {
            GpuBench bench = lost.bench;
            assertRefused(() -> bench.add.submit(bench.arguments, bench.t));
            assertRefused(() -> bench.add.run(bench.arguments));
            assertRefused(() -> bench.t.synchronize());
            assertRefused(() -> bench.t.isIdle());
            assertRefused(() -> bench.t.call(() -> {}));
            assertRefused(() -> bench.device.newStream());
            assertRefused(() -> bench.device.newEvent());
            assertRefused(() -> bench.arguments.input("a").readFloats());
            assertRefused(() -> bench.device.driver().synchronize());
          }
        });
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(DeviceException.class)
        .hasStackTraceContaining("hipEventQuery")
        .hasStackTraceContaining("hipErrorIllegalAddress");
  }

  @Test
  void wakesWhoeverWaitsForIt() {
    assertTimeoutPreemptively(
        HANG,
        () -> {
          try (LogCapture _ = new LogCapture("dev.millrace");
              GpuBench bench = new GpuBench()) {
            bench.hold(bench.s);
            bench.add.submit(bench.arguments, bench.s);
            AtomicInteger woken = new AtomicInteger();
            Thread waiter =
                Thread.ofVirtual()
                    .start(
                        () -> {
                          assertThatThrownBy(bench.s::synchronize)
                              .isInstanceOf(DeviceException.class);
                          woken.incrementAndGet();
                        });
            while (waiter.getState() != Thread.State.WAITING) {
              Thread.onSpinWait();
            }
            HipOnCpu.fail("hipEventQuery", 1, ILLEGAL_ADDRESS);
            waiter.join();
            assertThat(woken).hasValue(1);
          }
        });
  }

  @Test
  void isNotOneOfWhichAQuestionFailedOnce() {
    assertTimeoutPreemptively(
        HANG,
        () -> {
          try (LogCapture log = new LogCapture("dev.millrace");
              GpuBench bench = new GpuBench()) {
            bench.hold(bench.s);
            Run run = bench.add.runAsync(bench.arguments, bench.s);
            HipOnCpu.fail("hipEventQuery", 1, INVALID_VALUE);
            while (log.records().isEmpty()) {
              Thread.onSpinWait();
            }
            bench.open();
            run.await();
            run.close();
            bench.assertWorks();
          }
        });
  }
}
