package dev.millrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.handle.StreamOptions;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceEvent;
import dev.millrace.stream.DeviceStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** HIP's default stream. */
@DisplayName("The null stream")
public abstract class NullStreamContract extends DeviceContract {
  private DeviceStream nullStream;
  private DeviceStream blocking;
  private DeviceStream nonBlocking;

  @BeforeEach
  void makeStreams() {
    nullStream = device.nullStream();
    blocking = closing(device.newStream(StreamOptions.defaults().withBlocking()));
    nonBlocking = newStream();
  }

  @Test
  void waitsForEarlierWorkOfBlockingStreams() {
    try (Gate _ = Gate.on(blocking)) {
      nullStream.call(() -> {});
      assertHeld(nullStream);
    }
    nullStream.synchronize();
  }

  @Test
  void isWaitedForByLaterWorkOfBlockingStreams() {
    try (Gate _ = Gate.on(nullStream)) {
      blocking.call(() -> {});
      assertHeld(blocking);
    }
    blocking.synchronize();
  }

  @Test
  void doesNotOrderWithNonBlockingStreams() {
    try (Gate _ = Gate.on(nullStream)) {
      nonBlocking.call(() -> {});
      nonBlocking.synchronize();
    }
    try (Gate _ = Gate.on(nonBlocking)) {
      nullStream.call(() -> {});
      nullStream.synchronize();
    }
  }

  @Test
  void doesNotOrderBlockingStreamsWithOneAnother() {
    DeviceStream another = closing(device.newStream(StreamOptions.defaults().withBlocking()));
    try (Gate _ = Gate.on(blocking)) {
      another.call(() -> {});
      another.synchronize();
    }
  }

  @Test
  void isABarrierBetweenWorkOfBlockingStreams() {
    DeviceStream another = closing(device.newStream(StreamOptions.defaults().withBlocking()));
    List<String> done = Collections.synchronizedList(new ArrayList<>());
    try (Gate _ = Gate.on(blocking)) {
      blocking.call(() -> done.add("blocking"));
      nullStream.call(() -> done.add("null"));
      another.call(() -> done.add("another"));
      assertHeld(another);
    }
    another.synchronize();
    assertThat(done).containsExactly("blocking", "null", "another");
  }

  @Test
  void waitsForABlockingStreamThatWasClosedMeanwhile() {
    DeviceStream closed = device.newStream(StreamOptions.defaults().withBlocking());
    try (Gate _ = Gate.on(closed)) {
      closed.close();
      nullStream.call(() -> {});
      assertHeld(nullStream);
    }
    nullStream.synchronize();
  }

  @Test
  void ordersRecordsAndWaitsToo() {
    try (DeviceEvent event = device.newEvent();
        Gate _ = Gate.on(blocking)) {
      nullStream.record(event);
      nonBlocking.waitFor(event);
      nonBlocking.call(() -> {});
      assertHeld(nonBlocking);
    }
    nonBlocking.synchronize();
  }

  @Test
  void waitsForBlockingStreamsWhenItIsSynchronized() {
    try (Gate _ = Gate.on(blocking)) {
      assertHeld(nullStream);
      assertThat(nullStream.isIdle()).isFalse();
    }
    nullStream.synchronize();
    assertThat(nullStream.isIdle()).isTrue();
    assertThat(blocking.isIdle()).isTrue();
  }

  @Test
  void doesNotWaitForNonBlockingStreamsWhenItIsSynchronized() {
    try (Gate _ = Gate.on(nonBlocking)) {
      nullStream.synchronize();
      assertThat(nullStream.isIdle()).isTrue();
    }
  }

  @Test
  void isTheDevicesOwn() {
    Device other = newOtherDevice();
    try (Gate _ = Gate.on(nullStream)) {
      other.nullStream().call(() -> {});
      other.nullStream().synchronize();
    }
    assertThat(other.nullStream().handle()).isNotEqualTo(nullStream.handle());
  }

  @Test
  void isNotClosedByAnybody() {
    nullStream.close();
    assertThat(nullStream.isOwned()).isFalse();
    nullStream.call(() -> {});
    nullStream.synchronize();
  }
}
