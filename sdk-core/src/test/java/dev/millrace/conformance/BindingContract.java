package dev.millrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.binding.StreamBinding;
import dev.millrace.binding.StreamBound;
import dev.millrace.handle.StreamHandle;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.stream.StreamContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Rows 1 to 5 and 8 to 10: what a context and its participants look at, and for how long. */
public abstract class BindingContract extends DeviceContract {
  private final List<String> moves = new ArrayList<>();
  private StreamContext context;
  private DeviceStream s;
  private DeviceStream t;

  @BeforeEach
  void makeContext() {
    context = closing(device.newContext());
    s = newStream();
    t = newStream();
  }

  private LoggingHandle attached(String name, StreamHandle at) {
    LoggingHandle handle = new LoggingHandle(name, at, moves);
    context.attach(handle);
    return handle;
  }

  private static String move(String name, DeviceStream to) {
    return LoggingHandle.move(name, to.handle());
  }

  @Nested
  @DisplayName("Row 1: a fresh context")
  class FreshContext {

    @Test
    void looksAtItsOwnStreamAndHasNothingBound() {
      assertThat(context.current()).isEqualTo(context.own().handle());
      assertThat(context.isExternal()).isFalse();
      assertThat(context.own().handle().isNull()).isFalse();
    }

    @Test
    void hasItsStreamBeforeAnythingRuns() {
      driver.log().forget();
      try (StreamContext another = device.newContext()) {
        assertThat(driver.log().of("createStream")).hasSize(1);
        assertThat(driver.liveStreams()).contains(another.current().address());
      }
    }

    @Test
    void hasANonBlockingStream() {
      try (Gate _ = Gate.on(device.nullStream())) {
        context.own().call(() -> {});
        context.synchronize();
      }
    }
  }

  @Nested
  @DisplayName("Row 2: bind S")
  class Bind {

    @Test
    void isWhatTheContextLooksAt() {
      try (StreamBinding binding = context.bind(s)) {
        assertThat(context.current()).isEqualTo(s.handle());
        assertThat(binding.stream()).isEqualTo(s.handle());
        assertThat(context.isExternal()).isTrue();
      }
      assertThat(context.current()).isEqualTo(context.own().handle());
      assertThat(context.isExternal()).isFalse();
    }

    @Test
    void isWhatEachParticipantsOwnGetterSays() {
      List<StreamBound> participants = kind().participants(device);
      List<StreamHandle> before = participants.stream().map(StreamBound::stream).toList();
      participants.forEach(context::attach);
      assertThat(participants).extracting(StreamBound::stream).isEqualTo(before);
      try (StreamBinding _ = context.bind(s)) {
        assertThat(participants).extracting(StreamBound::stream).containsOnly(s.handle());
      }
      assertThat(participants).extracting(StreamBound::stream).isEqualTo(before);
    }

    @Test
    void pointsParticipantsInOrderAndPutsThemBackInReverse() {
      attached("first", t.handle());
      attached("second", device.nullStream().handle());
      context.bind(s).close();
      assertThat(moves)
          .containsExactly(
              move("first", s),
              move("second", s),
              move("second", device.nullStream()),
              move("first", t));
    }

    @Test
    void waitsForWhatTheHandlesWorkspaceIsUsedForOnItsPreviousStream() {
      attached("blas", t.handle());
      try (Gate _ = Gate.on(t);
          StreamBinding _ = context.bind(s)) {
        s.call(() -> {});
        assertHeld(s);
      }
      s.synchronize();
    }

    @Test
    void makesThePreviousStreamWaitForTheWorkspaceWhenTheHandleIsMovedBack() {
      attached("blas", t.handle());
      try (Gate _ = Gate.on(s)) {
        context.bind(s).close();
        t.call(() -> {});
        assertHeld(t);
      }
      t.synchronize();
    }

    @Test
    void ordersTheStreamsBeforeTheHandleIsMoved() {
      LoggingHandle handle = attached("blas", t.handle());
      List<String> movesWhenOrdered = new ArrayList<>();
      driver.before("waitEvent", () -> movesWhenOrdered.addAll(moves));
      try (StreamBinding _ = context.bind(s)) {
        assertThat(movesWhenOrdered).isEmpty();
        assertThat(driver.log().of("recordEvent")).last().matches(call -> isOn(call, t));
        assertThat(driver.log().of("waitEvent")).last().matches(call -> isOn(call, s));
      }
      assertThat(handle.stream()).isEqualTo(t.handle());
    }

    private static boolean isOn(DriverCall call, DeviceStream stream) {
      return call.stream() == stream.handle().address();
    }

    @Test
    void neitherWaitsNorMovesAHandleThatIsThereAlready() {
      attached("blas", s.handle());
      driver.log().forget();
      context.bind(s).close();
      assertThat(moves).isEmpty();
      assertThat(driver.log().calls())
          .extracting(DriverCall::function)
          .containsExactly("makeCurrent", "restoreCurrent");
    }

    @Test
    void keepsThePreviousStreamOfAHandleAliveUntilItIsBack() {
      DeviceStream previous = device.newStream();
      attached("blas", previous.handle());
      try (StreamBinding _ = context.bind(s)) {
        assertThatThrownBy(previous::close)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("bound");
        assertThat(driver.liveStreams()).contains(previous.handle().address());
      }
      previous.close();
      assertThat(driver.liveStreams()).hasSize(3);
    }

    @Test
    void refusesAParticipantOfAnotherDevice() {
      try (Device other = newOtherDevice()) {
        LoggingHandle foreign = new LoggingHandle("blas", other.nullStream().handle(), moves);
        assertThatThrownBy(() -> context.attach(foreign))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("blas")
            .hasMessageContaining(other.id().toString())
            .hasMessageContaining(device.id().toString());
        context.bind(s).close();
        assertThat(moves).isEmpty();
      }
    }
  }

  @Nested
  @DisplayName("Row 3: bind the null stream")
  class BindNullStream {

    @Test
    void isARealBindingOfANamedDevice() {
      List<StreamBound> participants = kind().participants(device);
      participants.forEach(context::attach);
      try (StreamBinding _ = context.bind(s);
          StreamBinding binding = context.bind(device.nullStream())) {
        assertThat(context.current()).isEqualTo(new StreamHandle(device.id(), 0));
        assertThat(binding.stream().isNull()).isTrue();
        assertThat(context.isExternal()).isTrue();
        assertThat(participants).extracting(StreamBound::stream).containsOnly(context.current());
      }
    }

    @Test
    void isExternalAlsoWhereItIsTheOnlyBinding() {
      try (StreamBinding _ = context.bind(device.nullStream())) {
        assertThat(context.isExternal()).isTrue();
        assertThat(context.stream()).isSameAs(device.nullStream());
      }
      assertThat(context.isExternal()).isFalse();
    }
  }

  @Nested
  @DisplayName("Row 4: closing a binding")
  class CloseBinding {

    @Test
    void twiceDoesNothing() {
      LoggingHandle handle = attached("blas", t.handle());
      StreamBinding binding = context.bind(s);
      binding.close();
      moves.clear();
      driver.log().forget();
      binding.close();
      assertThat(moves).isEmpty();
      assertThat(driver.log().calls()).isEmpty();
      assertThat(handle.stream()).isEqualTo(t.handle());
    }

    @Test
    void twiceDoesNotCloseALaterBindingInItsPlace() {
      StreamBinding first = context.bind(s);
      first.close();
      try (StreamBinding second = context.bind(t)) {
        first.close();
        assertThat(context.current()).isEqualTo(t.handle());
        assertThat(second.stream()).isEqualTo(t.handle());
        assertThatThrownBy(first::stream).isInstanceOf(IllegalStateException.class);
      }
    }

    @Test
    void whileAnInnerOneIsOpenClosesTheInnerOnesFirst() {
      attached("blas", device.nullStream().handle());
      DeviceStream u = newStream();
      StreamBinding outer = context.bind(s);
      StreamBinding middle = context.bind(t);
      StreamBinding inner = context.bind(u);
      moves.clear();
      outer.close();
      assertThat(moves)
          .containsExactly(move("blas", t), move("blas", s), move("blas", device.nullStream()));
      assertThat(context.isExternal()).isFalse();
      moves.clear();
      inner.close();
      middle.close();
      assertThat(moves).isEmpty();
    }

    @Test
    void happensWithTheContext() {
      LoggingHandle handle = attached("blas", t.handle());
      StreamBinding binding = context.bind(s);
      context.close();
      assertThat(handle.stream()).isEqualTo(t.handle());
      binding.close();
      s.close();
    }
  }

  @Nested
  @DisplayName("Row 5: waitFor(S) and finishOn(S)")
  class Join {

    @Test
    void waitForHoldsTheContextsStreamUntilTheOtherIsThere() {
      try (Gate _ = Gate.on(s)) {
        context.waitFor(s);
        context.own().call(() -> {});
        assertHeld(context.own());
      }
      context.synchronize();
    }

    @Test
    void finishOnHoldsTheOtherUntilTheContextsStreamIsThere() {
      try (Gate _ = Gate.on(context.own())) {
        context.finishOn(s);
        s.call(() -> {});
        assertHeld(s);
      }
      s.synchronize();
    }

    @Test
    void joinTheBoundStreamWhereOneIsBound() {
      try (StreamBinding _ = context.bind(t);
          Gate _ = Gate.on(s)) {
        context.waitFor(s);
        t.call(() -> {});
        assertHeld(t);
      }
      try (StreamBinding _ = context.bind(t);
          Gate _ = Gate.on(t)) {
        context.finishOn(s);
        s.call(() -> {});
        assertHeld(s);
      }
    }

    @Test
    void useEventsOnlyAndNeverChangeTheBinding() {
      attached("blas", device.nullStream().handle());
      try (StreamBinding _ = context.bind(t)) {
        moves.clear();
        driver.log().forget();
        context.waitFor(s);
        context.finishOn(s);
        assertThat(driver.log().myFunctions())
            .containsOnly("createEvent", "recordEvent", "waitEvent", "destroyEvent");
        assertThat(moves).isEmpty();
        assertThat(context.current()).isEqualTo(t.handle());
      }
      assertThat(driver.liveEvents()).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void refuseNoStreamAndLeaveAllAsItWas() {
      try (StreamBinding _ = context.bind(t)) {
        driver.log().forget();
        assertThatThrownBy(() -> context.waitFor(Null.value()))
            .isInstanceOf(NullPointerException.class)
            .hasMessageContaining("stream");
        assertThatThrownBy(() -> context.finishOn(Null.value()))
            .isInstanceOf(NullPointerException.class)
            .hasMessageContaining("stream");
        assertThatThrownBy(() -> context.bind(Null.value()))
            .isInstanceOf(NullPointerException.class)
            .hasMessageContaining("stream");
        assertThat(driver.log().calls()).isEmpty();
        assertThat(context.current()).isEqualTo(t.handle());
      }
    }
  }

  @Nested
  @DisplayName("Row 8: a binding in a binding")
  class NestedBinding {

    @Test
    void restoresTheOuterOneWhenItCloses() {
      List<StreamBound> participants = kind().participants(device);
      participants.forEach(context::attach);
      try (StreamBinding _ = context.bind(s)) {
        try (StreamBinding _ = context.bind(t)) {
          assertThat(participants).extracting(StreamBound::stream).containsOnly(t.handle());
        }
        assertThat(context.current()).isEqualTo(s.handle());
        assertThat(participants).extracting(StreamBound::stream).containsOnly(s.handle());
      }
    }

    @Test
    void mayBeOfAnyDepth() {
      LoggingHandle handle = attached("blas", device.nullStream().handle());
      List<StreamBinding> bindings = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        bindings.add(context.bind(i % 2 == 0 ? s : t));
      }
      for (int i = 39; i > 0; i--) {
        assertThat(handle.stream()).isEqualTo((i % 2 == 0 ? s : t).handle());
        bindings.get(i).close();
      }
      bindings.getFirst().close();
      assertThat(handle.stream()).isEqualTo(device.nullStream().handle());
    }
  }

  @Nested
  @DisplayName("Row 9: binding the stream that is bound already")
  class BindAgain {

    @Test
    void callsNothing() {
      attached("blas", device.nullStream().handle());
      try (StreamBinding _ = context.bind(s)) {
        moves.clear();
        driver.log().forget();
        try (StreamBinding again = context.bind(s)) {
          assertThat(again.stream()).isEqualTo(s.handle());
        }
        assertThat(moves).isEmpty();
        assertThat(driver.log().calls()).isEmpty();
        assertThat(context.current()).isEqualTo(s.handle());
      }
    }
  }

  @Nested
  @DisplayName("Row 10: a handle first created while bound")
  class AttachWhileBound {

    @Test
    void isOnTheBoundStreamAtOnceAndOnTheOwnOneAfterwards() {
      StreamHandle own = context.own().handle();
      LoggingHandle created = new LoggingHandle("new", device.nullStream().handle(), moves);
      try (StreamBinding _ = context.bind(s)) {
        try (StreamBinding _ = context.bind(t)) {
          context.attachNew(created);
          assertThat(created.stream()).isEqualTo(t.handle());
        }
        assertThat(created.stream()).isEqualTo(s.handle());
      }
      assertThat(created.stream()).isEqualTo(own);
    }

    @Test
    void isOnTheOwnStreamWhereNothingIsBound() {
      LoggingHandle created = new LoggingHandle("new", device.nullStream().handle(), moves);
      context.attachNew(created);
      assertThat(created.stream()).isEqualTo(context.own().handle());
    }

    @Test
    void goesBackToWhereItWasIfItIsTheApplications() {
      DeviceStream previous = newStream();
      LoggingHandle handle;
      try (StreamBinding _ = context.bind(s)) {
        handle = attached("blas", previous.handle());
        assertThat(handle.stream()).isEqualTo(s.handle());
        assertThatThrownBy(previous::close).isInstanceOf(IllegalStateException.class);
      }
      assertThat(handle.stream()).isEqualTo(previous.handle());
    }

    @Test
    void staysWhereItWasAndUnknownIfItCannotBePointed() {
      LoggingHandle stubborn = new LoggingHandle("stubborn", t.handle(), moves);
      stubborn.failSetter(1, 1);
      try (StreamBinding _ = context.bind(s)) {
        assertThatThrownBy(() -> context.attach(stubborn)).hasMessageContaining("stubborn");
        assertThat(stubborn.stream()).isEqualTo(t.handle());
      }
      assertThatThrownBy(() -> context.detach(stubborn))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("stubborn");
      t.close();
    }

    @Test
    void isNotDetachedWhileItIsBound() {
      LoggingHandle handle = attached("blas", t.handle());
      try (StreamBinding _ = context.bind(s)) {
        assertThatThrownBy(() -> context.detach(handle))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("blas");
      }
      context.detach(handle);
      moves.clear();
      context.bind(s).close();
      assertThat(moves).isEmpty();
    }
  }
}
