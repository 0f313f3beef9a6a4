package dev.millrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.DeviceException;
import dev.millrace.model.CompileOptions;
import dev.millrace.model.Model;
import dev.millrace.program.Arguments;
import dev.millrace.program.Program;
import dev.millrace.program.Run;
import dev.millrace.program.RunMode;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes wrong after its submission is told once, and outputs whose shape a run decides. */
public abstract class FailureContract extends DeviceContract {
  private static final int TABLE = 3;

  private DeviceStream s;

  @BeforeEach
  void makeStream() {
    s = newStream();
  }

  private Program load(Model model) {
    return closing(kind().load(model, device, CompileOptions.defaults()));
  }

  private static void assertFails(ThrowingCallable use) {
    assertThatThrownBy(use).isInstanceOf(DeviceException.class).hasMessageContaining("run=");
  }

  @Nested
  @DisplayName("A run that fails on the device")
  class FailingRun {
    private Program gather;
    private Arguments failing;
    private Arguments working;

    @BeforeEach
    void loadProgram() {
      gather = load(TinyModels.gather(TABLE));
      failing = arguments(TABLE);
      working = arguments(1);
    }

    private Arguments arguments(long index) {
      Arguments arguments = closing(gather.arguments());
      arguments.input("table").write(new float[] {10, 20, 30});
      arguments.input("index").write(new long[] {index});
      arguments.output("y");
      return arguments;
    }

    @ParameterizedTest
    @EnumSource(RunMode.class)
    void isToldByTheNextSynchronizeOnce(RunMode mode) {
      try (Run run = gather.runAsync(failing, s, mode)) {
        assertThat(run.mode()).isEqualTo(mode);
        assertFails(s::synchronize);
        s.synchronize();
      }
      assertWorks();
    }

    @Test
    void isToldByTheNextSynchronizeThoughNobodyHasSeenItsEndYet() throws Exception {
      AtomicReference<Gate> beforeJoin = new AtomicReference<>();
      driver.before("whenDone", () -> beforeJoin.set(Gate.behindAllOf(driver, s)));
      try (Gate beforeFork = Gate.on(s);
          Gate beforeEnd = driver.delayDone()) {
        Run run = closing(gather.runAsync(failing, s, RunMode.FORK_JOIN));
        beforeFork.open();
        beforeEnd.awaitEntered();
        beforeJoin.get().open();
        assertFails(s::synchronize);
        assertThat(run.isDone()).isFalse();
        beforeEnd.open();
        assertFails(run::await);
      }
      assertWorks();
    }

    @Test
    void isToldByTheNextSubmissionOnce() {
      gather.submit(failing, s);
      driver.synchronize();
      driver.log().forget();
      assertFails(() -> gather.submit(working, s));
      assertThat(driver.log().of("call")).isEmpty();
      assertWorks();
    }

    @Test
    void isToldByTheNextCopyOrCallOnce() {
      Tensor tensor = working.input("table");
      gather.submit(failing, s);
      driver.synchronize();
      assertFails(() -> s.copy(tensor, tensor));
      s.copy(tensor, tensor);
      gather.submit(failing, s);
      driver.synchronize();
      assertFails(() -> s.call(() -> {}));
      s.call(() -> {});
      assertWorks();
    }

    @Test
    void isToldByItsAwaitEachTimeAndThenNoLongerByTheStream() {
      try (Run run = gather.runAsync(failing, s)) {
        assertFails(run::await);
        assertFails(run::await);
        assertThat(run.isDone()).isTrue();
        s.synchronize();
      }
      assertWorks();
    }

    @Test
    void isToldByItsCompletionAndThenNoLongerByTheStream() {
      try (Run run = gather.runAsync(failing, s)) {
        CompletableFuture<Run> completion = run.completion();
        assertThatThrownBy(completion::join)
            .isInstanceOf(CompletionException.class)
            .hasCauseInstanceOf(DeviceException.class);
        s.synchronize();
        assertThat(run.completion()).isCompletedExceptionally();
      }
      assertWorks();
    }

    @Test
    void isThrownByASynchronousRun() {
      assertFails(() -> gather.run(failing));
      try (Run run = gather.run(working)) {
        assertThat(run.output("y").readFloats()).containsExactly(20);
      }
      s.synchronize();
    }

    @Test
    void doesNotStopWhatIsBehindIt() {
      try (Gate gate = Gate.on(s)) {
        gather.submit(failing, s);
        gather.submit(working, s);
        gate.open();
        assertFails(s::synchronize);
      }
      assertThat(working.output("y").readFloats()).containsExactly(20);
    }

    @Test
    void isToldTogetherWithOthersThatFailed() {
      try (Gate gate = Gate.on(s)) {
        gather.submit(failing, s);
        gather.submit(failing, s);
        s.call(
            () -> {
              throw new IllegalArgumentException("third");
            });
        gate.open();
        assertThatThrownBy(s::synchronize)
            .isInstanceOf(DeviceException.class)
            .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(2));
      }
      assertWorks();
    }

    @Test
    void isNotTheBusinessOfAnotherStream() {
      DeviceStream other = newStream();
      gather.submit(failing, s);
      driver.synchronize();
      gather.submit(working, other);
      other.synchronize();
      assertFails(s::synchronize);
    }

    private void assertWorks() {
      gather.submit(working, s);
      s.synchronize();
      assertThat(working.output("y").readFloats()).containsExactly(20);
    }
  }

  @Nested
  @DisplayName("An output whose shape the run decides")
  class PendingOutput {
    private Program nonZero;
    private Arguments arguments;

    @BeforeEach
    void loadProgram() {
      nonZero = load(TinyModels.nonZero(5));
      arguments = closing(nonZero.arguments());
      arguments.input("x").write(new float[] {0, 1, 0, 1, 1});
    }

    @Test
    void isRefusedUntilTheRunIsDone() throws Exception {
      Run run;
      try (Gate _ = Gate.on(s)) {
        run = closing(nonZero.runAsync(arguments, s));
        Tensor places = run.output("places");
        assertThat(places.isPending()).isTrue();
        assertThat(places.type()).isEqualTo(DataType.INT64);
        assertEarly(places::shape);
        assertEarly(places::byteSize);
        assertEarly(places::readLongs);
        assertEarly(places::segment);
        assertEarly(() -> places.view(Shape.of(3)));
      }
      run.await();
      assertThat(run.output(0).shape()).isEqualTo(Shape.of(1, 3));
      assertThat(run.output(0).readLongs()).containsExactly(1, 3, 4);
    }

    private static void assertEarly(ThrowingCallable use) {
      assertThatThrownBy(use)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("when the run that makes it is done");
    }

    @Test
    void mayBeTakenByALaterCopyOnTheStream() {
      Tensor copy = closing(device.allocate(DataType.INT64, Shape.of(1, 3)));
      Tensor small = closing(device.allocate(DataType.INT64, Shape.of(1, 2)));
      try (Gate _ = Gate.on(s);
          Run run = nonZero.runAsync(arguments, s)) {
        s.copy(run.output(0), copy);
        s.copy(run.output(0), small);
      }
      assertThatThrownBy(s::synchronize)
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("bytes=24")
          .hasMessageContaining("bytes=16");
      assertThat(copy.readLongs()).containsExactly(1, 3, 4);
    }

    @Test
    void mayBeTakenByAnotherProgramsRunOnTheStream() {
      Program total = load(TinyModels.total());
      Arguments sum = closing(total.arguments());
      try (Gate gate = Gate.on(s);
          Run run = nonZero.runAsync(arguments, s)) {
        sum.input("places", run.output(0));
        try (Run later = total.runAsync(sum, s)) {
          gate.open();
          s.synchronize();
          assertThat(later.output("total").readLongs()).containsExactly(8);
        }
      }
    }

    @Test
    void livesUntilALaterRunThatTakesItIsDoneThoughItsOwnIsClosed() {
      Program total = load(TinyModels.total());
      Arguments sum = closing(total.arguments());
      sum.output("total");
      try (Gate _ = Gate.on(s)) {
        try (Run run = nonZero.runAsync(arguments, s)) {
          sum.input("places", run.output(0));
          total.submit(sum, s);
        }
      }
      s.synchronize();
      assertThat(sum.output("total").readLongs()).containsExactly(8);
    }

    @Test
    void isFailedWithItsRunAndSaysSo() throws Exception {
      Program failing = load(TinyModels.gatherNonZero(TABLE));
      Arguments wrong = closing(failing.arguments());
      wrong.input("table").write(new float[TABLE]);
      wrong.input("index").write(new long[] {TABLE});
      Tensor copy = closing(device.allocate(DataType.INT64, Shape.of(1, 1)));
      try (Gate gate = Gate.on(s);
          Run run = failing.runAsync(wrong, s)) {
        s.copy(run.output(0), copy);
        gate.open();
        assertFails(s::synchronize);
        s.synchronize();
        assertThatThrownBy(run.output(0)::shape)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("failed");
        assertThatThrownBy(() -> s.copy(run.output(0), copy))
            .isInstanceOf(IllegalStateException.class);
      }
    }

    @Test
    void isNotForSubmitWhichAllocatesNothing() {
      assertThatThrownBy(() -> nonZero.submit(arguments, s))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("places");
      Tensor places = arguments.allocateOutput("places", Shape.of(1, 3));
      nonZero.submit(arguments, s);
      s.synchronize();
      assertThat(places.readLongs()).containsExactly(1, 3, 4);
    }

    @Test
    void mayBeEmpty() {
      arguments.input("x").write(new float[5]);
      try (Run run = nonZero.run(arguments)) {
        assertThat(run.output(0).shape()).isEqualTo(Shape.of(1, 0));
        assertThat(run.output(0).readLongs()).isEmpty();
      }
    }

    @Test
    void failsItsRunIfThereIsNoMemoryForIt() throws Exception {
      try (Run run = closing(nonZero.runAsync(arguments, s))) {
        run.await();
      }
      try (Gate gate = Gate.on(s);
          Run run = nonZero.runAsync(arguments, s)) {
        driver.log().failCall("allocate", 1);
        gate.open();
        assertThatThrownBy(run::await)
            .isInstanceOf(DeviceException.class)
            .hasStackTraceContaining(FaultyDriver.ERROR);
        assertThatThrownBy(run.output(0)::shape).isInstanceOf(IllegalStateException.class);
      }
      try (Run run = nonZero.run(arguments)) {
        assertThat(run.output(0).readLongs()).containsExactly(1, 3, 4);
      }
    }
  }
}
