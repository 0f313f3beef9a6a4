package dev.millrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.program.Arguments;
import dev.millrace.program.Run;
import dev.millrace.stream.DeviceEvent;
import dev.millrace.stream.DeviceStream;
import dev.millrace.stream.StreamContext;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Waiting on the host: interrupts, time-outs, futures. */
public abstract class WaitingContract extends DeviceContract {
  private static final Duration SHORT = Duration.ofMillis(5);
  private static final Duration LONG = Duration.ofSeconds(30);

  private AddProgram add;
  private Arguments arguments;
  private DeviceStream s;

  @BeforeEach
  void loadProgram() {
    add = newAddProgram();
    arguments = closing(add.completeArguments(1));
    s = newStream();
  }

  private Run runAsync() {
    return closing(add.program().runAsync(arguments, s));
  }

  @Nested
  @DisplayName("A thread that is interrupted")
  class Interrupted {

    @Test
    void finishesTheSynchronizeOfAStreamAndKeepsItsFlag() throws Exception {
      assertFinishesWithFlag(
          () -> {
            s.synchronize();
            return "done";
          });
    }

    @Test
    void finishesTheSynchronizeOfAnEventAndKeepsItsFlag() throws Exception {
      DeviceEvent event = closing(device.newEvent());
      assertFinishesWithFlag(
          () -> {
            event.synchronize();
            return "done";
          },
          event);
    }

    @Test
    void finishesTheSynchronizeOfAContextAndKeepsItsFlag() throws Exception {
      StreamContext context = closing(device.newContext());
      context.waitFor(s);
      assertFinishesWithFlag(
          () -> {
            context.waitFor(s);
            context.synchronize();
            return "done";
          });
    }

    @Test
    void finishesASynchronousRunAndKeepsItsFlag() throws Exception {
      Arguments others = closing(add.completeArguments(2));
      add.program().submit(arguments, s);
      assertFinishesWithFlag(
          () -> {
            try (Run run = add.program().run(others)) {
              AddProgram.assertSum(run.output("sum"), 2);
            }
            return "done";
          },
          null);
    }

    private void assertFinishesWithFlag(Callable<String> wait) throws Exception {
      assertFinishesWithFlag(wait, null);
    }

    private void assertFinishesWithFlag(
        Callable<String> wait, @org.jspecify.annotations.Nullable DeviceEvent event)
        throws Exception {
      try (Gate gate = Gate.on(s)) {
        add.program().submit(arguments, s);
        if (event != null) {
          s.record(event);
        }
        SecondThread<Boolean> waiter =
            SecondThread.start(
                "waiter",
                () -> {
                  Thread.currentThread().interrupt();
                  wait.call();
                  return Thread.currentThread().isInterrupted();
                });
        waiter.awaitWaiting();
        waiter.thread().interrupt();
        assertThat(waiter.isDone()).isFalse();
        gate.open();
        assertThat(waiter.result()).as("is interrupted").isTrue();
      }
    }

    @Test
    void leavesAwaitWithTheRunInFlight() throws Exception {
      Run run;
      try (Gate _ = Gate.on(s)) {
        run = runAsync();
        SecondThread<Object> waiter =
            SecondThread.start(
                "waiter",
                () -> {
                  run.await();
                  return "done";
                });
        waiter.awaitWaiting();
        waiter.thread().interrupt();
        assertThatThrownBy(waiter::result).isInstanceOf(InterruptedException.class);
        assertThat(run.isDone()).isFalse();
      }
      run.await();
      AddProgram.assertSum(run.output("sum"), 1);
    }

    @Test
    void submitsAllTheSame() throws Exception {
      SecondThread.call(
          "interrupted",
          () -> {
            Thread.currentThread().interrupt();
            runAsync();
            add.program().submit(arguments, s);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            return "done";
          });
      s.synchronize();
      AddProgram.assertSum(arguments.output("sum"), 1);
    }
  }

  @Nested
  @DisplayName("A time-out")
  class TimeOut {

    @Test
    void ofAStreamNamesItAndLeavesItsWork() throws Exception {
      try (Gate _ = Gate.on(s)) {
        add.program().submit(arguments, s);
        assertThatThrownBy(() -> s.synchronize(SHORT))
            .isInstanceOf(TimeoutException.class)
            .hasMessageContaining("stream=")
            .hasMessageContaining("timeout=");
        assertThatThrownBy(() -> s.synchronize(Duration.ZERO)).isInstanceOf(TimeoutException.class);
      }
      s.synchronize(LONG);
      s.synchronize(Duration.ZERO);
      AddProgram.assertSum(arguments.output("sum"), 1);
    }

    @Test
    void mayBeLongerThanNanosecondsCount() throws Exception {
      Duration forever = ChronoUnit.FOREVER.getDuration();
      DeviceEvent event = closing(device.newEvent());
      Run run = closing(add.program().runAsync(arguments, s));
      s.record(event);
      run.await(forever);
      event.synchronize(forever);
      s.synchronize(forever);
    }

    @Test
    void ofAnEventNamesIt() throws Exception {
      DeviceEvent event = closing(device.newEvent());
      event.synchronize(Duration.ZERO);
      try (Gate _ = Gate.on(s)) {
        s.record(event);
        assertThatThrownBy(() -> event.synchronize(SHORT))
            .isInstanceOf(TimeoutException.class)
            .hasMessageContaining("event=");
      }
      event.synchronize(LONG);
    }

    @Test
    void ofARunNamesItAndLeavesItInFlight() throws Exception {
      Run run;
      try (Gate _ = Gate.on(s)) {
        run = runAsync();
        assertThatThrownBy(() -> run.await(SHORT))
            .isInstanceOf(TimeoutException.class)
            .hasMessageContaining("run=" + run.id());
        assertThat(run.isDone()).isFalse();
      }
      run.await(LONG);
      run.await(Duration.ZERO);
      AddProgram.assertSum(run.output("sum"), 1);
    }
  }

  @Nested
  @DisplayName("The completion of a run")
  class Completion {

    @Test
    void comesWithTheRunAfterItIsDone() throws Exception {
      CompletableFuture<Run> before;
      Run run;
      try (Gate _ = Gate.on(s)) {
        run = runAsync();
        before = run.completion();
        assertThat(before).isNotDone();
      }
      assertThat(before.get(30, TimeUnit.SECONDS)).isSameAs(run);
      assertThat(run.completion()).isCompletedWithValue(run);
      AddProgram.assertSum(run.output("sum"), 1);
    }

    @Test
    void runsItsDependentsOnVirtualThreads() throws Exception {
      CompletableFuture<Boolean> dependent;
      CompletableFuture<Boolean> async;
      try (Gate _ = Gate.on(s)) {
        CompletableFuture<Run> completion = runAsync().completion();
        dependent = completion.thenApply(_ -> Thread.currentThread().isVirtual());
        async = completion.thenApplyAsync(_ -> Thread.currentThread().isVirtual());
      }
      assertThat(dependent.get(30, TimeUnit.SECONDS)).isTrue();
      assertThat(async.get(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void withADependentThatBlocksDelaysNobody() throws Exception {
      CountDownLatch release = new CountDownLatch(1);
      CompletableFuture<Void> blocked;
      try {
        try (Gate _ = Gate.on(s)) {
          blocked = runAsync().completion().thenAccept(_ -> Gate.await(release));
        }
        CompletableFuture<Run> next = runAsync().completion();
        next.get(30, TimeUnit.SECONDS);
        s.synchronize();
        assertThat(blocked).isNotDone();
      } finally {
        release.countDown();
      }
      blocked.get(30, TimeUnit.SECONDS);
    }

    @Test
    void thatIsCancelledOrTimedOutLeavesTheRunAlone() throws Exception {
      Run run;
      try (Gate _ = Gate.on(s)) {
        run = runAsync();
        CompletableFuture<Run> cancelled = run.completion();
        cancelled.cancel(true);
        CompletableFuture<Run> late = run.completion().orTimeout(1, TimeUnit.MILLISECONDS);
        assertThatThrownBy(late::join).hasCauseInstanceOf(TimeoutException.class);
        assertThat(run.isDone()).isFalse();
      }
      run.await();
      AddProgram.assertSum(run.output("sum"), 1);
    }

    @Test
    void isToldToEachThatAsks() throws Exception {
      CompletableFuture<Run> first;
      CompletableFuture<Run> second;
      SecondThread<Object> waiter;
      try (Gate _ = Gate.on(s)) {
        Run run = runAsync();
        first = run.completion();
        second = run.completion();
        waiter =
            SecondThread.start(
                "waiter",
                () -> {
                  run.await();
                  return "done";
                });
        waiter.awaitWaiting();
      }
      first.get(30, TimeUnit.SECONDS);
      second.get(30, TimeUnit.SECONDS);
      waiter.result();
    }
  }
}
