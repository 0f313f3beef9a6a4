package dev.millrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.binding.StreamBinding;
import dev.millrace.model.CompileOptions;
import dev.millrace.program.Arguments;
import dev.millrace.program.Program;
import dev.millrace.program.Run;
import dev.millrace.program.RunMode;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceEvent;
import dev.millrace.stream.DeviceStream;
import dev.millrace.stream.StreamContext;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import dev.millrace.testing.LogCapture;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Row 15, and what is closed in general: refused from then on, and safe for what is under way. */
public abstract class LifetimeContract extends DeviceContract {
  private AddProgram add;
  private DeviceStream s;

  @BeforeEach
  void loadProgram() {
    add = newAddProgram();
    s = newStream();
    driver.synchronize();
    driver.log().forget(); // what loading the program made and gave back
  }

  private static void assertClosed(String what, ThrowingCallable use) {
    assertThatThrownBy(use)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed")
        .hasMessageContaining(what);
  }

  private long live(DeviceStream stream) {
    return driver.liveStreams().stream().filter(one -> one == stream.handle().address()).count();
  }

  @Nested
  @DisplayName("Row 15: a stream that is closed")
  class CloseStream {

    @Test
    void whileItIsBoundIsRefusedAndStaysOpen() {
      StreamContext context = closing(device.newContext());
      try (StreamBinding _ = context.bind(s);
          StreamBinding _ = context.bind(device.nullStream())) {
        assertThatThrownBy(s::close)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("bound");
        s.call(() -> {});
      }
      assertThat(live(s)).isOne();
      s.close();
      assertThat(driver.log().of("destroyStream")).hasSize(1);
    }

    @Test
    void whileItIsAContextsOwnIsRefused() {
      StreamContext context = closing(device.newContext());
      assertThatThrownBy(context.own()::close).isInstanceOf(IllegalStateException.class);
      context.own().call(() -> {});
      context.synchronize();
    }

    @ParameterizedTest
    @EnumSource(RunMode.class)
    void whileARunIsInFlightIsSafe(RunMode mode) throws Exception {
      DeviceStream closed = device.newStream();
      long address = closed.handle().address();
      Arguments arguments = add.arguments(6);
      Tensor copy = closing(device.allocate(DataType.FLOAT, Shape.of(AddProgram.ELEMENTS)));
      Run run;
      long bytes;
      try (Gate _ = Gate.on(closed)) {
        run = add.program().runAsync(arguments, closed, mode);
        closed.copy(run.output("sum"), copy);
        bytes = driver.liveBytes();
        closed.close();
        run.close();
        arguments.close();
        assertThat(driver.liveStreams()).contains(address);
        assertThat(driver.liveBytes()).isEqualTo(bytes);
        assertThat(driver.log().of("destroyStream")).isEmpty();
      }
      run.await();
      driver.synchronize();
      AddProgram.assertSum(copy, 6);
      assertThat(driver.liveStreams()).doesNotContain(address);
      assertThat(driver.liveBytes()).isEqualTo(programBytes + copy.byteSize());
    }

    @Test
    void whileACopyIsInFlightIsSafe() {
      DeviceStream closed = device.newStream();
      Tensor from = device.upload(new float[] {1, 2}, Shape.of(2));
      Tensor to = device.allocate(DataType.FLOAT, Shape.of(2));
      Tensor kept = to.view(Shape.of(2));
      try (Gate _ = Gate.on(closed)) {
        closed.copy(from, to);
        closed.close();
        from.close();
        to.close();
        assertThat(driver.liveBytes()).isEqualTo(programBytes + 16);
      }
      driver.synchronize();
      assertThat(kept.readFloats()).containsExactly(1, 2);
      kept.close();
      assertThat(driver.liveBytes()).isEqualTo(programBytes);
    }

    @Test
    void byAnotherThreadInTheMiddleOfACallLivesUntilTheCallReturns() {
      DeviceEvent event = closing(device.newEvent());
      assertOutlives("recordEvent", stream -> stream.record(event));
      assertOutlives("waitEvent", stream -> stream.waitFor(event));
      assertOutlives("call", stream -> stream.call(() -> {}));
      assertOutlives("isStreamIdle", DeviceStream::isIdle);
      assertOutlives("synchronizeStream", DeviceStream::synchronize);
      assertOutlives("takeFailures", DeviceStream::synchronize);
      Tensor tensor = closing(device.upload(new float[1], Shape.of(1)));
      assertOutlives("copy", stream -> stream.copy(tensor, tensor));
      driver.synchronize();
    }

    @Test
    void byAnotherThreadInTheMiddleOfASubmissionIsRefusedHereOrThere() {
      Arguments arguments = closing(add.completeArguments(1));
      List<String> functions =
          device.features().hostFunctions()
              ? List.of("takeFailures", "waitEvent", "call")
              : List.of("takeFailures", "waitEvent");
      for (String function : functions) {
        try (Gate _ = Gate.on(s)) {
          add.program().submit(arguments, s); // the next one has to wait for its lane
          DeviceStream closed = device.newStream();
          driver.before(function, closed::close);
          assertThatThrownBy(() -> add.program().submit(arguments, closed))
              .as("closed before %s", function)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("stream=");
          closed.close();
        }
        add.assertRuns(s, 5);
      }
    }

    @Test
    void byAnotherThreadAfterItsRunWasEnqueuedIsSafe() {
      Arguments arguments = closing(add.completeArguments(1));
      for (String function : List.of("recordEvent", "whenDone")) {
        DeviceStream closed = device.newStream();
        driver.before(function, closed::close);
        add.program().submit(arguments, closed);
        assertClosed("stream=", closed::isIdle);
      }
      driver.synchronize();
      assertThat(driver.log().of("destroyStream")).hasSize(2);
      AddProgram.assertSum(arguments.output("sum"), 1);
    }

    private void assertOutlives(String function, Consumer<DeviceStream> use) {
      DeviceStream closed = device.newStream();
      driver.before(function, closed::close);
      driver.log().forget();
      use.accept(closed);
      driver.synchronize();
      DriverCall destroyed = driver.log().of("destroyStream").getFirst();
      assertThat(driver.log().of(function).getFirst().number()).isLessThan(destroyed.number());
      assertClosed("stream=", closed::isIdle);
    }
  }

  @Nested
  @DisplayName("A closed thing is refused by name in every use:")
  class Closed {

    @Test
    void tensor() {
      Arguments arguments = closing(add.completeArguments(1));
      Tensor closed = device.allocate(DataType.FLOAT, Shape.of(AddProgram.ELEMENTS));
      Tensor open = closing(device.allocate(DataType.FLOAT, Shape.of(AddProgram.ELEMENTS)));
      closed.close();
      closed.close();
      assertThat(closed.isClosed()).isTrue();
      assertClosed("tensor=", closed::readFloats);
      assertClosed("tensor=", () -> closed.write(new float[AddProgram.ELEMENTS]));
      assertClosed("tensor=", closed::segment);
      assertClosed("tensor=", closed::address);
      assertClosed("tensor=", () -> closed.view(Shape.of(2, 2)));
      assertClosed("tensor=", () -> s.copy(closed, open));
      assertClosed("tensor=", () -> s.copy(open, closed));
      assertClosed("tensor=", () -> arguments.input("a", closed));
      assertClosed("tensor=", () -> arguments.output("sum", closed));
    }

    @Test
    void tensorThatArgumentsHave() {
      Arguments arguments = closing(add.completeArguments(1));
      Tensor input = device.upload(AddProgram.a(1), Shape.of(AddProgram.ELEMENTS));
      arguments.input("a", input);
      input.close();
      assertClosed("tensor=", () -> add.program().submit(arguments, s));
      assertClosed("tensor=", () -> add.program().runAsync(arguments, s));
      assertClosed("tensor=", () -> add.program().run(arguments));
      assertThat(driver.log().of("call")).isEmpty();
      Tensor another = closing(device.upload(AddProgram.a(2), Shape.of(AddProgram.ELEMENTS)));
      arguments.input("a", another);
      add.program().submit(arguments, s);
      s.synchronize();
      AddProgram.assertSum(arguments.output("sum"), 2);
    }

    @Test
    void tensorThatArgumentsHaveUsedBefore() {
      Arguments arguments = closing(add.completeArguments(1));
      add.program().submit(arguments, s);
      s.synchronize();
      arguments.output("sum").close();
      driver.log().forget();
      assertClosed("tensor=", () -> add.program().submit(arguments, s));
      assertThat(driver.log().of("call")).isEmpty();
    }

    @Test
    void program() {
      Arguments arguments = closing(add.completeArguments(1));
      StreamContext context = closing(device.newContext());
      Program closed = add.program();
      closed.close();
      closed.close();
      assertClosed(closed.toString().substring(8), closed::arguments);
      assertClosed("run", () -> closed.run(arguments));
      assertClosed("run", () -> closed.run(arguments, context));
      assertClosed("run", () -> closed.runAsync(arguments, s));
      assertClosed("run", () -> closed.submit(arguments, s));
      assertClosed("run", () -> closed.warmUp(arguments));
    }

    @Test
    void arguments() {
      Arguments closed = add.completeArguments(1);
      Tensor tensor = closing(device.allocate(DataType.FLOAT, Shape.of(AddProgram.ELEMENTS)));
      closed.close();
      closed.close();
      assertClosed("arguments", () -> closed.input("a"));
      assertClosed("arguments", () -> closed.output("sum"));
      assertClosed("arguments", () -> closed.input("a", tensor));
      assertClosed("arguments", () -> add.program().run(closed));
      assertClosed("arguments", () -> add.program().runAsync(closed, s));
      assertClosed("arguments", () -> add.program().submit(closed, s));
      assertThat(driver.liveBytes()).isEqualTo(programBytes + tensor.byteSize());
    }

    @Test
    void run() {
      Run closed = add.program().runAsync(closing(add.arguments(1)), s);
      closed.close();
      closed.close();
      assertClosed("run=", () -> closed.output(0));
      assertClosed("run=", () -> closed.output("sum"));
    }

    @Test
    void event() {
      DeviceEvent closed = device.newEvent();
      closed.close();
      closed.close();
      assertClosed("event=", closed::isDone);
      assertClosed("event=", closed::synchronize);
      assertClosed("event=", () -> closed.synchronize(Duration.ofSeconds(1)));
      assertClosed("event=", closed::handle);
      assertClosed("event=", () -> s.record(closed));
      assertClosed("event=", () -> s.waitFor(closed));
    }

    @Test
    void context() {
      StreamContext closed = device.newContext();
      closed.close();
      closed.close();
      assertClosed("context", () -> closed.bind(s));
      assertClosed("context", closed::current);
      assertClosed("context", closed::isExternal);
      assertClosed("context", closed::stream);
      assertClosed("context", () -> closed.waitFor(s));
      assertClosed("context", () -> closed.finishOn(s));
      assertClosed("context", closed::synchronize);
      Arguments arguments = closing(add.arguments(1));
      assertClosed("context", () -> add.program().run(arguments, closed));
      assertClosed("context", () -> add.program().runAsync(arguments, closed));
    }

    @Test
    void device() {
      Device closed = Device.of(new FaultyDriver(kind().openOther()));
      closed.close();
      closed.close();
      assertClosed("device=", closed::newStream);
      assertClosed("device=", closed::newEvent);
      assertClosed("device=", closed::newContext);
      assertClosed("device=", closed::nullStream);
      assertClosed("device=", () -> closed.allocate(DataType.FLOAT, Shape.of(1)));
      assertClosed("device=", () -> closed.upload(new float[1], Shape.of(1)));
      assertClosed(
          "device=", () -> kind().load(TinyModels.add(1), closed, CompileOptions.defaults()));
    }
  }

  @Nested
  @DisplayName("A thing that is closed while a run uses it, from another thread,")
  class ClosedWhileRunning {

    @Test
    void isTheProgramWhichIsGivenBackWhenTheRunIsDone() throws Exception {
      Arguments arguments = closing(add.completeArguments(1));
      Run run;
      try (Gate _ = Gate.on(s)) {
        run = closing(add.program().runAsync(arguments, s));
        int streams = driver.liveStreams().size();
        SecondThread.call("closer", ClosedWhileRunning.this::closeProgram);
        assertClosed("run", () -> add.program().runAsync(arguments, s));
        assertThat(driver.liveStreams()).hasSize(streams);
      }
      run.await();
      driver.synchronize();
      AddProgram.assertSum(arguments.output("sum"), 1);
      assertThat(driver.liveStreams()).containsExactly(s.handle().address());
      assertThat(driver.liveEvents()).isEmpty();
    }

    private Object closeProgram() {
      add.close();
      return "closed";
    }

    /**
     * Between the fork's wait and the join's, the run comes to its end and the program is closed.
     */
    @Test
    void isTheProgramWhoseLaneTheSubmittingThreadHasNotLeft() throws Exception {
      Arguments arguments = closing(add.completeArguments(5));
      driver.before("waitEvent", () -> driver.before("waitEvent", this::finishAndCloseProgram));
      try (Run run = add.program().runAsync(arguments, s, RunMode.FORK_JOIN)) {
        assertClosed("run", () -> add.program().runAsync(arguments, s));
        run.await();
      }
      driver.synchronize();
      AddProgram.assertSum(arguments.output("sum"), 5);
      assertThat(driver.liveStreams()).containsExactly(s.handle().address());
      assertThat(driver.liveEvents()).isEmpty();
    }

    private void finishAndCloseProgram() {
      driver.synchronize();
      add.close();
    }

    @Test
    void isATensorOrTheArgumentsWhichLiveUntilTheRunIsDone() throws Exception {
      Arguments arguments = add.arguments(4);
      Tensor output = device.allocate(DataType.FLOAT, Shape.of(AddProgram.ELEMENTS));
      Tensor kept = closing(output.view(Shape.of(AddProgram.ELEMENTS)));
      arguments.output("sum", output);
      Run run;
      try (Gate _ = Gate.on(s)) {
        run = closing(add.program().runAsync(arguments, s));
        long bytes = driver.liveBytes();
        SecondThread.call(
            "closer",
            () -> {
              output.close();
              arguments.close();
              return "closed";
            });
        assertThat(driver.liveBytes()).isEqualTo(bytes);
      }
      run.await();
      AddProgram.assertSum(kept, 4);
      assertThat(driver.liveBytes()).isEqualTo(programBytes + kept.byteSize());
    }

    @Test
    void isTheRunWhoseOutputsLiveUntilItIsDone() throws Exception {
      Arguments arguments = closing(add.arguments(4));
      long bytes = driver.liveBytes();
      Run run;
      try (Gate _ = Gate.on(s)) {
        run = add.program().runAsync(arguments, s);
        run.close();
        assertThat(driver.liveBytes()).isGreaterThan(bytes);
      }
      run.await();
      assertThat(driver.liveBytes()).isEqualTo(bytes);
    }

    @Test
    void isTheDeviceWhichWaitsForTheRun() throws Exception {
      FaultyDriver other = new FaultyDriver(kind().openOther());
      Device closed = Device.of(other);
      AddProgram program = AddProgram.load(kind(), closed, CompileOptions.defaults());
      DeviceStream stream = closed.newStream();
      Arguments arguments = closing(program.arguments(3));
      try (LogCapture _ = new LogCapture("dev.millrace.stream");
          Gate gate = Gate.on(stream)) {
        Run run = closing(program.program().runAsync(arguments, stream));
        SecondThread<Object> closer =
            SecondThread.start(
                "closer",
                () -> {
                  closed.close();
                  return "closed";
                });
        closer.awaitWaiting();
        assertThat(closer.isDone()).isFalse();
        assertThat(run.isDone()).isFalse();
        gate.open();
        closer.result();
        assertThat(run.isDone()).isTrue();
        if (closed.driver().tensorKind().isHostReadable()) {
          AddProgram.assertSum(run.output("sum"), 3);
        } else {
          assertClosed("device=", run.output("sum")::readFloats);
        }
      }
      assertThat(other.liveStreams()).isEmpty();
      assertThat(other.liveEvents()).isEmpty();
    }
  }
}
