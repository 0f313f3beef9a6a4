package dev.millrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.binding.StreamBinding;
import dev.millrace.binding.StreamBound;
import dev.millrace.handle.StreamHandle;
import dev.millrace.program.Arguments;
import dev.millrace.program.Run;
import dev.millrace.program.RunMode;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceEvent;
import dev.millrace.stream.DeviceStream;
import dev.millrace.stream.StreamContext;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Rows 3, 6, 11, 12, 16 and 17: a program's runs on streams of the caller's. */
public abstract class RunContract extends DeviceContract {
  private AddProgram add;
  private DeviceStream s;
  private StreamContext context;

  @BeforeEach
  void loadProgram() {
    add = newAddProgram();
    s = newStream();
    context = closing(device.newContext());
  }

  private Run runAsync(Arguments arguments, DeviceStream stream) {
    return closing(add.program().runAsync(arguments, stream));
  }

  private Arguments arguments(float number) {
    return closing(add.arguments(number));
  }

  @Nested
  @DisplayName("A run is enqueued on the caller's stream")
  class Enqueued {

    @Test
    void inItsOrder() {
      Arguments arguments = arguments(1);
      Tensor copy = closing(device.allocate(DataType.FLOAT, Shape.of(AddProgram.ELEMENTS)));
      try (Gate _ = Gate.on(s)) {
        writeLater(s, arguments.input("a"), AddProgram.a(7));
        Run run = runAsync(arguments, s);
        s.copy(run.output("sum"), copy);
        writeLater(s, arguments.input("a"), AddProgram.a(100));
        assertThat(run.isDone()).isFalse();
      }
      s.synchronize();
      AddProgram.assertSum(copy, 7);
    }

    @Test
    void andReturnsAtOnce() {
      try (Gate _ = Gate.on(s)) {
        Run run = runAsync(arguments(1), s);
        assertThat(run.isDone()).isFalse();
        assertThat(run.mode()).isEqualTo(RunMode.EXTERNAL);
      }
      s.synchronize();
    }

    @Test
    void orForkedFromItAndJoinedToIt() throws Exception {
      Arguments arguments = arguments(3);
      Run run;
      Tensor result;
      try (Gate _ = Gate.on(s)) {
        driver.log().forget();
        run = closing(add.program().runAsync(arguments, s, RunMode.FORK_JOIN));
        if (device.features().hostFunctions()) {
          assertThat(driver.log().of("call")).hasSize(1).noneMatch(call -> call.is("call", at(s)));
        }
        assertThat(driver.log().of("recordEvent"))
            .hasSize(2)
            .satisfiesExactly(
                fork -> assertThat(fork.stream()).isEqualTo(at(s)),
                join -> assertThat(join.stream()).isNotEqualTo(at(s)));
        result = readLater(s, run.output("sum"));
        assertThat(run.mode()).isEqualTo(RunMode.FORK_JOIN);
        assertThat(run.isDone()).isFalse();
      }
      s.synchronize();
      AddProgram.assertSum(result, 3);
      run.await();
    }

    @Test
    void andNotInAModeThatIsNone() {
      Arguments arguments = arguments(1);
      driver.log().forget();
      assertThatNullPointerException()
          .isThrownBy(() -> add.program().runAsync(arguments, s, Null.value()))
          .withMessage("mode");
      assertThat(driver.log().of("call")).isEmpty();
    }

    @Test
    void bySubmitWithoutAnObject() {
      Arguments arguments = arguments(5);
      long first = add.program().submit(arguments, s);
      long second = add.program().submit(arguments, s);
      s.synchronize();
      AddProgram.assertSum(arguments.output("sum"), 5);
      assertThat(second).isGreaterThan(first);
    }
  }

  private static long at(DeviceStream stream) {
    return stream.handle().address();
  }

  @Nested
  @DisplayName("Row 3: a run on the null stream")
  class OnNullStream {

    @Test
    void isARunOnThatStream() {
      Arguments arguments = arguments(2);
      Tensor result;
      try (Gate _ = Gate.on(device.nullStream())) {
        writeLater(device.nullStream(), arguments.input("a"), AddProgram.a(9));
        Run run = runAsync(arguments, device.nullStream());
        assertThat(run.isDone()).isFalse();
        result = readLater(device.nullStream(), run.output("sum"));
      }
      device.nullStream().synchronize();
      AddProgram.assertSum(result, 9);
    }

    @Test
    void worksThroughAContextToo() {
      try (StreamBinding _ = context.bind(device.nullStream());
          Run run = add.program().run(arguments(4), context)) {
        AddProgram.assertSum(run.output("sum"), 4);
      }
    }
  }

  @Nested
  @DisplayName("Row 6: when an external run ends")
  class Ends {

    @Test
    void theBindingAndEveryHandleAreWhatTheyWereBefore() {
      List<StreamBound> participants = kind().participants(device);
      participants.forEach(context::attach);
      List<StreamHandle> home = where(participants);
      assertUnchanged(participants, () -> runAsync(arguments(1), s));
      assertUnchanged(participants, () -> closing(add.program().runAsync(arguments(1), context)));
      try (StreamBinding _ = context.bind(s)) {
        assertUnchanged(participants, () -> runAsync(arguments(1), s));
        assertUnchanged(participants, () -> closing(add.program().runAsync(arguments(1), context)));
        try (StreamBinding _ = context.bind(device.nullStream())) {
          assertUnchanged(
              participants, () -> closing(add.program().runAsync(arguments(1), context)));
          assertUnchanged(participants, () -> closing(add.program().run(arguments(1), context)));
        }
      }
      assertThat(where(participants)).isEqualTo(home);
      s.synchronize();
    }

    private static List<StreamHandle> where(List<StreamBound> participants) {
      return participants.stream().map(StreamBound::stream).toList();
    }

    private void assertUnchanged(List<StreamBound> participants, Runnable run) {
      StreamHandle current = context.current();
      boolean external = context.isExternal();
      List<StreamHandle> before = where(participants);
      run.run();
      assertThat(context.current()).isEqualTo(current);
      assertThat(context.isExternal()).isEqualTo(external);
      assertThat(where(participants)).isEqualTo(before);
    }

    @Test
    void theHandlesOfAContextWereOnItsStreamMeanwhile() {
      List<String> moves = new ArrayList<>();
      DeviceStream home = newStream();
      context.attach(new LoggingHandle("blas", home.handle(), moves));
      closing(add.program().runAsync(arguments(1), context));
      assertThat(moves)
          .containsExactly(
              LoggingHandle.move("blas", context.own().handle()),
              LoggingHandle.move("blas", home.handle()));
      context.synchronize();
    }

    @Test
    void handlesThatAreNotTheContextsWereNotTouched() {
      List<String> moves = new ArrayList<>();
      context.attach(new LoggingHandle("blas", device.nullStream().handle(), moves));
      runAsync(arguments(1), s);
      s.synchronize();
      assertThat(moves).isEmpty();
    }
  }

  @Nested
  @DisplayName("Row 11: a synchronous run")
  class Synchronous {

    @Test
    void runsOnTheBoundStreamAndWaitsForIt() throws Exception {
      Arguments arguments = arguments(1);
      try (Gate gate = Gate.on(s)) {
        SecondThread<Run> running =
            SecondThread.start(
                "runner",
                () -> {
                  try (StreamBinding _ = context.bind(s)) {
                    return add.program().run(arguments, context);
                  }
                });
        running.awaitWaiting();
        assertThat(running.isDone()).isFalse();
        gate.open();
        AddProgram.assertSum(closing(running.result()).output("sum"), 1);
      }
    }

    @Test
    void runsOnTheContextsOwnStreamWhereNothingIsBound() throws Exception {
      Arguments arguments = arguments(1);
      try (Gate gate = Gate.on(context.own())) {
        SecondThread<Run> running =
            SecondThread.start("runner", () -> add.program().run(arguments, context));
        running.awaitWaiting();
        gate.open();
        AddProgram.assertSum(closing(running.result()).output("sum"), 1);
      }
    }

    @Test
    void needsNoContext() {
      for (int number = 0; number < 50; number++) {
        try (Arguments arguments = add.arguments(number);
            Run run = add.program().run(arguments)) {
          assertThat(run.isDone()).isTrue();
          AddProgram.assertSum(run.output("sum"), number);
        }
      }
    }

    @Test
    void worksOnAVirtualThread() throws Exception {
      Arguments arguments = arguments(8);
      Run run = SecondThread.startVirtual(() -> add.program().run(arguments)).result();
      AddProgram.assertSum(closing(run).output("sum"), 8);
    }

    @Test
    void isBehindWhatTheLaneStillRuns() throws Exception {
      Arguments held = arguments(1);
      Arguments arguments = arguments(2);
      try (Gate gate = Gate.on(s)) {
        runAsync(held, s);
        SecondThread<Run> running =
            SecondThread.start("runner", () -> add.program().run(arguments));
        running.awaitWaiting();
        gate.open();
        AddProgram.assertSum(closing(running.result()).output("sum"), 2);
      }
    }

    @Test
    void contextsSynchronizeWaitsForTheBoundStreamTheNullStreamIncluded() throws Exception {
      for (DeviceStream bound : List.of(s, device.nullStream())) {
        try (Gate gate = Gate.on(bound)) {
          SecondThread<Void> waiting =
              SecondThread.start(
                  "waiter",
                  () -> {
                    try (StreamBinding _ = context.bind(bound)) {
                      context.synchronize();
                    }
                    return null;
                  });
          waiting.awaitWaiting();
          gate.open();
          waiting.result();
        }
      }
    }
  }

  @Nested
  @DisplayName("Row 12: a stream of another device, or a closed one")
  class WrongStream {

    @Test
    void ofAnotherDeviceIsRefusedWithBothNamesBeforeAnythingIsEnqueued() {
      Device other = newOtherDevice();
      DeviceStream foreign = closing(other.newStream());
      DeviceEvent event = closing(other.newEvent());
      Arguments arguments = arguments(1);
      for (DeviceStream wrong : List.of(foreign, other.nullStream())) {
        assertRefused(other, () -> add.program().runAsync(arguments, wrong));
        assertRefused(other, () -> add.program().runAsync(arguments, wrong, RunMode.FORK_JOIN));
        assertRefused(other, () -> add.program().submit(arguments, wrong));
        assertRefused(other, () -> context.bind(wrong));
        assertRefused(other, () -> context.waitFor(wrong));
        assertRefused(other, () -> context.finishOn(wrong));
      }
      assertRefused(other, () -> s.record(event));
      assertRefused(other, () -> s.waitFor(event));
      StreamContext theirs = closing(other.newContext());
      assertRefused(other, () -> add.program().runAsync(arguments, theirs));
      add.assertRuns(s, 1);
    }

    private void assertRefused(Device other, ThrowingCallable use) {
      driver.log().forget();
      assertThatThrownBy(use)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(device.toString())
          .hasMessageContaining(other.toString());
      assertNothingEnqueued();
    }

    private void assertNothingEnqueued() {
      assertThat(driver.log().myFunctions())
          .doesNotContain("call", "copy", "recordEvent", "waitEvent");
    }

    @Test
    void ofADeviceThatWasOpenedTwiceIsToldApart() {
      Device again = closing(Device.of(new FaultyDriver(kind().open())));
      assertThat(again.id()).isEqualTo(device.id());
      DeviceStream foreign = closing(again.newStream());
      Arguments arguments = arguments(1);
      assertRefused(again, () -> add.program().runAsync(arguments, foreign));
    }

    @Test
    void thatIsClosedIsRefusedBeforeAnythingIsEnqueued() {
      DeviceStream closed = device.newStream();
      closed.close();
      DeviceEvent event = closing(device.newEvent());
      Arguments arguments = arguments(1);
      Tensor tensor = arguments.input("a");
      assertClosed(() -> add.program().runAsync(arguments, closed));
      assertClosed(() -> add.program().runAsync(arguments, closed, RunMode.FORK_JOIN));
      assertClosed(() -> add.program().submit(arguments, closed));
      assertClosed(() -> context.bind(closed));
      assertClosed(() -> context.waitFor(closed));
      assertClosed(() -> context.finishOn(closed));
      assertClosed(() -> closed.record(event));
      assertClosed(() -> closed.waitFor(event));
      assertClosed(() -> closed.copy(tensor, tensor));
      assertClosed(() -> closed.call(() -> {}));
      assertClosed(closed::isIdle);
      assertClosed(closed::synchronize);
      assertClosed(closed::handle);
      closed.close();
      add.assertRuns(s, 1);
    }

    private void assertClosed(ThrowingCallable use) {
      driver.log().forget();
      assertThatThrownBy(use)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed")
          .hasMessageContaining("stream=");
      assertNothingEnqueued();
    }
  }

  @Nested
  @DisplayName("Row 17: an external run of a warm lane")
  class WarmLane {

    @Test
    void makesNoCallThatWaitsAsksOrAllocates() {
      Arguments arguments = closing(add.completeArguments(1));
      add.program().warmUp(arguments);
      assertFrugal(() -> closing(add.program().runAsync(arguments, s)), at(s));
      assertFrugal(() -> add.program().submit(arguments, s), at(s));
    }

    @Test
    void alsoWhenItHasToFollowARunOnAnotherStream() {
      Arguments arguments = closing(add.completeArguments(1));
      add.program().warmUp(arguments);
      DeviceStream t = newStream();
      try (Gate _ = Gate.on(t)) {
        add.program().submit(arguments, t);
        assertFrugal(() -> add.program().submit(arguments, s), at(s));
      }
    }

    @Test
    void alsoUnderABoundContextWithParticipants() {
      Arguments arguments = closing(add.completeArguments(1));
      add.program().warmUp(arguments);
      DeviceStream home = newStream();
      LoggingHandle.three(home.handle(), new ArrayList<>()).forEach(context::attach);
      context.bind(s).close();
      assertFrugal(
          () -> {
            try (StreamBinding _ = context.bind(s)) {
              closing(add.program().runAsync(arguments, context));
            }
          },
          at(s));
    }

    @Test
    void callsTheNullStreamOnlyWhereThatIsTheCallers() {
      Arguments arguments = closing(add.completeArguments(1));
      add.program().warmUp(arguments);
      assertFrugal(() -> add.program().submit(arguments, device.nullStream()), 0);
    }

    private void assertFrugal(Runnable run, long target) {
      s.synchronize();
      long bytes = driver.liveBytes();
      driver.log().forget();
      run.run();
      List<DriverCall> calls = driver.log().mine();
      assertThat(calls)
          .isNotEmpty()
          .allMatch(call -> target == 0 || call.stream() != 0)
          .extracting(DriverCall::function)
          .doesNotContain("synchronizeStream", "synchronizeEvent")
          .doesNotContain("isStreamIdle", "isEventDone")
          .doesNotContain("allocate", "createStream", "createEvent", "destroyEvent");
      assertThat(driver.liveBytes()).isEqualTo(bytes);
    }
  }

  @Nested
  @DisplayName("Row 16: capture")
  class Capture {

    @Test
    void isClaimedOnlyByADeviceThatCan() {
      if (!device.features().capture()) {
        assertThat(add.program().asyncCapability().canCapture()).isFalse();
        assertThat(add.program().asyncCapability().reasons())
            .anyMatch(reason -> reason.contains("captured"));
      }
      assertThat(add.program().asyncCapability().isAsync()).isTrue();
    }
  }
}
