package dev.millrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.DeviceException;
import dev.millrace.stream.DeviceEvent;
import dev.millrace.stream.DeviceStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** HIP's rules of order, with host functions for work. */
@DisplayName("Streams and events keep HIP's order")
public abstract class StreamOrderContract extends DeviceContract {
  private DeviceStream s;
  private DeviceStream t;

  @BeforeEach
  void makeStreams() {
    s = newStream();
    t = newStream();
  }

  private DeviceEvent newEvent() {
    return closing(device.newEvent());
  }

  @Test
  void runsTheWorkOfAStreamInOrder() {
    List<Integer> done = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 1_000; i++) {
      int number = i;
      s.call(() -> done.add(number));
    }
    s.synchronize();
    assertThat(done).isEqualTo(IntStream.range(0, 1_000).boxed().toList());
  }

  @Test
  void holdsAStreamUntilItsHostFunctionReturns() {
    try (Gate _ = Gate.on(s)) {
      s.call(() -> {});
      assertHeld(s);
      assertThat(s.isIdle()).isFalse();
      t.call(() -> {});
      t.synchronize();
    }
    s.synchronize();
    assertThat(s.isIdle()).isTrue();
  }

  @Test
  void isIdleAsSoonAsItIsSynchronized() throws Exception {
    for (int i = 0; i < 2_000; i++) {
      s.call(() -> {});
      s.synchronize();
      assertThat(s.isIdle()).isTrue();
      s.synchronize(Duration.ZERO);
    }
  }

  @Test
  void holdsAStreamThatWaitsUntilTheRecordIsReached() {
    DeviceEvent event = newEvent();
    try (Gate _ = Gate.on(s)) {
      s.record(event);
      t.waitFor(event);
      t.call(() -> {});
      assertHeld(t);
      assertThat(event.isDone()).isFalse();
    }
    t.synchronize();
    assertThat(event.isDone()).isTrue();
  }

  @Test
  void doesNotHoldAStreamForWhatWasSubmittedAfterTheRecord() {
    DeviceEvent event = newEvent();
    s.record(event);
    try (Gate _ = Gate.on(s)) {
      t.waitFor(event);
      t.call(() -> {});
      t.synchronize();
    }
  }

  @Test
  void takesTheRecordThatIsTheLatestAtTheTimeOfTheWait() {
    DeviceEvent event = newEvent();
    s.record(event);
    t.waitFor(event);
    try (Gate _ = Gate.on(s)) {
      s.record(event);
      t.call(() -> {});
      t.synchronize();
      t.waitFor(event);
      t.call(() -> {});
      assertHeld(t);
    }
    t.synchronize();
  }

  @Test
  void leavesAWaitAloneWhenItsEventIsRecordedAgain() {
    DeviceEvent event = newEvent();
    DeviceStream u = newStream();
    try (Gate later = Gate.on(u)) {
      try (Gate _ = Gate.on(s)) {
        s.record(event);
        t.waitFor(event);
        u.record(event);
        t.call(() -> {});
        assertHeld(t);
      }
      t.synchronize();
      assertThat(event.isDone()).isFalse();
      later.open();
    }
    event.synchronize();
    assertThat(event.isDone()).isTrue();
  }

  @Test
  void treatsAnEventThatWasNeverRecordedAsReached() {
    DeviceEvent event = newEvent();
    assertThat(event.isDone()).isTrue();
    event.synchronize();
    s.waitFor(event);
    s.call(() -> {});
    s.synchronize();
  }

  @Test
  void leavesNoTraceOfASatisfiedWait() {
    DeviceEvent event = newEvent();
    s.record(event);
    s.synchronize();
    t.waitFor(event);
    t.waitFor(newEvent());
    assertThat(t.isIdle()).isTrue();
    assertThat(device.describe()).isEmpty();
  }

  @Test
  void waitsForItselfForNothing() {
    DeviceEvent event = newEvent();
    try (Gate gate = Gate.on(s)) {
      s.record(event);
      s.waitFor(event);
      gate.open();
    }
    s.synchronize();
  }

  @Test
  void keepsAWaitWhoseEventIsClosed() {
    List<String> done = Collections.synchronizedList(new ArrayList<>());
    try (Gate _ = Gate.on(s)) {
      s.call(() -> done.add("before the record"));
      try (DeviceEvent event = device.newEvent()) {
        s.record(event);
        t.waitFor(event);
      }
      t.call(() -> done.add("after the wait"));
      assertHeld(t);
    }
    t.synchronize();
    assertThat(done).containsExactly("before the record", "after the wait");
  }

  @Test
  void drainsAStreamThatIsClosed() {
    List<Integer> done = Collections.synchronizedList(new ArrayList<>());
    DeviceEvent event = newEvent();
    DeviceStream closed = device.newStream();
    try (Gate _ = Gate.on(closed)) {
      for (int i = 0; i < 100; i++) {
        int number = i;
        closed.call(() -> done.add(number));
      }
      closed.record(event);
      closed.close();
      assertThat(event.isDone()).isFalse();
    }
    event.synchronize();
    assertThat(done).hasSize(100);
  }

  @Test
  void letsAHostFunctionWaitForAnotherStreamOrRefusesIt() {
    CountDownLatch reached = new CountDownLatch(1);
    s.call(
        () -> {
          t.call(reached::countDown);
          t.synchronize();
        });
    if (device.features().hostFunctions()) {
      s.synchronize();
      Gate.await(reached);
    } else { // a GPU's runtime may have one thread for the host functions of all streams
      assertThatThrownBy(s::synchronize)
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("in a host function");
    }
  }

  @Test
  void letsHostFunctionsWaitForOneAnotherFiftyDeep() {
    List<DeviceStream> streams = IntStream.range(0, 50).mapToObj(_ -> newStream()).toList();
    List<CountDownLatch> reached =
        IntStream.range(0, 51).mapToObj(_ -> new CountDownLatch(1)).toList();
    for (int i = 0; i < 50; i++) {
      CountDownLatch next = reached.get(i + 1);
      CountDownLatch mine = reached.get(i);
      streams
          .get(i)
          .call(
              () -> {
                Gate.await(next);
                mine.countDown();
              });
    }
    reached.get(50).countDown();
    streams.forEach(DeviceStream::synchronize);
    assertThat(reached.getFirst().getCount()).isZero();
  }

  @Test
  void refusesAHostFunctionThatWaitsForItsOwnStream() {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    s.call(
        () -> {
          try {
            s.synchronize();
          } catch (IllegalStateException e) {
            thrown.set(e);
          }
        });
    s.synchronize();
    assertThat(thrown.get()).hasMessageContaining("wait for itself");
  }

  @Test
  void goesOnAfterAHostFunctionThatThrows() {
    IllegalArgumentException cause = new IllegalArgumentException("told to");
    List<String> done = Collections.synchronizedList(new ArrayList<>());
    try (Gate _ = Gate.on(s)) {
      s.call(
          () -> {
            throw cause;
          });
      s.call(() -> done.add("later"));
    }
    assertThatThrownBy(s::synchronize).isInstanceOf(DeviceException.class).hasCause(cause);
    assertThat(done).containsExactly("later");
    s.synchronize();
  }

  @Test
  void survivesAHostFunctionThatThrowsAnError() {
    Error cause = new StackOverflowError("told to");
    s.call(
        () -> {
          throw cause;
        });
    assertThatThrownBy(s::synchronize).isInstanceOf(DeviceException.class).hasCause(cause);
    s.call(() -> {});
    s.synchronize();
  }

  @Test
  void saysWhatAStreamIsDoing() {
    DeviceEvent event = newEvent();
    try (Gate _ = Gate.on(s)) {
      s.record(event);
      t.waitFor(event);
      t.call(() -> {});
      assertHeld(t);
      assertThat(device.describe())
          .hasSize(2)
          .anyMatch(line -> line.contains("stream=" + s.traceId()) && line.contains("runs"))
          .anyMatch(
              line ->
                  line.contains("stream=" + t.traceId())
                      && line.contains("waits for")
                      && line.contains("stream=" + s.traceId()));
    }
    t.synchronize();
    s.synchronize();
    assertThat(device.describe()).isEmpty();
  }
}
