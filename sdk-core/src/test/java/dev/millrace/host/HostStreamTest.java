package dev.millrace.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.handle.DeviceId;
import dev.millrace.handle.StreamOptions;
import dev.millrace.spi.HostWork;
import dev.millrace.spi.StreamState;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is said of a stream, and what asking costs. */
class HostStreamTest {
  private static final HostWork NOTHING = () -> {};

  private final StreamThreads threads = StreamThreads.named("test");
  private final HostStream stream = new HostStream(new DeviceId("host", 0), threads, false);
  private final CountDownLatch go = new CountDownLatch(1);

  private void awaitAll() {
    go.countDown();
    assertThat(stream.await(stream.lastMark(), Long.MAX_VALUE)).isTrue();
  }

  @AfterEach
  void endThreads() {
    threads.close();
  }

  @Test
  void whoeverAsksAgainAndAgainDoesNotFillTheQueue() {
    HostWork untilGo = go::await;
    stream.submit(untilGo);
    stream.submit(NOTHING);

    for (int i = 0; i < 100; i++) {
      assertThat(stream.await(stream.lastMark(), 0)).isFalse();
    }

    assertThat(stream.describe()).extracting(StreamState::queued).isIn(2, 3);
    awaitAll();
  }

  @Test
  void doesNotWaitForTheMarkThatItReaches() {
    AtomicReference<@Nullable StreamState> seen = new AtomicReference<>();
    Mark mark = new Mark(stream, null, 0);
    assertThat(mark.whenHappens(() -> seen.set(stream.describe()))).isTrue();
    HostWork untilGo = go::await;
    stream.submit(untilGo);
    stream.submit(mark);
    stream.submit(NOTHING);

    awaitAll();

    assertThat(seen.get()).extracting(StreamState::state).isEqualTo("is about to run");
  }

  @Test
  void whoeverWaitsForAnEventOfAStreamThatItHasClaimedDoesItsWork() {
    HostDriver driver = new HostDriver(new DeviceId("host", 0), 0);
    long claimed = driver.createStream(StreamOptions.defaults());
    long event = driver.createEvent();
    AtomicReference<@Nullable Thread> ranOn = new AtomicReference<>();
    assertThat(driver.tryClaim(claimed)).isTrue();
    driver.call(claimed, () -> ranOn.set(Thread.currentThread()));
    driver.recordEvent(event, claimed);

    assertThat(driver.synchronizeEvent(event, Long.MAX_VALUE)).isTrue();

    assertThat(ranOn).hasValue(Thread.currentThread());
    driver.runClaimed(claimed);
    driver.close();
  }

  @Test
  void saysWhichMarkHoldsIt() {
    HostStream other = new HostStream(new DeviceId("host", 0), threads, false);
    Mark mark = new Mark(other, null, 0);
    HostWork untilGo = go::await;
    other.submit(untilGo);
    other.submit(mark);
    assertThat(stream.tryClaim()).isTrue();
    stream.submit(new HostStream.Wait(mark));
    stream.runClaimed();

    assertThat(stream.describe())
        .extracting(StreamState::state)
        .isEqualTo("waits for stream=" + other.traceId() + " index=1");
    awaitAll();
  }
}
