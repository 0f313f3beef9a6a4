package dev.millrace.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.error.DeviceException;
import dev.millrace.handle.DeviceId;
import dev.millrace.handle.StreamOptions;
import dev.millrace.spi.HostWork;
import dev.millrace.testing.Schedules;
import dev.millrace.testing.Threads;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.junit.junit5.FrayTestExtension;

/** The races of a stream's states, each in several hundred schedules. */
@Tag("fray")
@ExtendWith(FrayTestExtension.class)
final class HostStreamScheduleTest {
  private static final DeviceId ID = new DeviceId("host", 0);

  /** Counts its runs, in plain memory, and notices when two overlap. */
  private static final class Tally implements HostWork {
    private volatile boolean inside;
    int count;

    @Override
    public void run() {
      assertThat(inside).as("another runs at the same time").isFalse();
      inside = true;
      count++;
      inside = false;
    }

    HostWork expecting(int before) {
      return () -> {
        assertThat(count).isEqualTo(before);
        run();
      };
    }
  }

  private static void awaitAll(HostStream stream) {
    assertThat(stream.await(stream.lastMark(), Long.MAX_VALUE)).isTrue();
    assertThat(stream.takeFailures()).isEmpty();
  }

  private static void awaitAll(HostDriver driver, long stream) {
    assertThat(driver.synchronizeStream(stream, Long.MAX_VALUE)).isTrue();
    assertThat(driver.takeFailures(stream)).isEmpty();
  }

  @Test
  void runsWhatIsSubmittedWhileTheQueueRunsEmpty() {
    Schedules.explore(
        300,
        () -> {
          StreamThreads threads = StreamThreads.named("test");
          HostStream stream = new HostStream(ID, threads, false);
          Tally tally = new Tally();

          Threads.both(
              () -> stream.submit(tally),
              () -> {
                stream.submit(tally);
                awaitAll(stream);
                stream.submit(tally);
              });
          awaitAll(stream);

          assertThat(tally.count).isEqualTo(3);
          threads.close();
        });
  }

  @Test
  void goesOnWhenTheMarkThatHeldItIsReached() {
    Schedules.explore(
        300,
        () -> {
          StreamThreads threads = StreamThreads.named("test");
          HostStream first = new HostStream(ID, threads, false);
          HostStream second = new HostStream(ID, threads, false);
          Mark mark = new Mark(first, null, 0);
          Tally tally = new Tally();

          Threads.both(
              () -> {
                first.submit(tally.expecting(0));
                first.submit(mark);
              },
              () -> {
                second.submit(new HostStream.Wait(mark));
                second.submit(tally.expecting(1));
                second.submit(tally.expecting(2));
              });
          awaitAll(first);
          awaitAll(second);

          assertThat(tally.count).isEqualTo(3);
          threads.close();
        });
  }

  @Test
  void isNotHeldByAMarkThatIsReachedMeanwhile() {
    Schedules.explore(
        3_000, // one schedule in several hundred has the race
        () -> {
          StreamThreads threads = StreamThreads.named("test");
          HostStream stream = new HostStream(ID, threads, false);
          Mark mark = new Mark(stream, null, 0);
          Tally tally = new Tally();
          stream.submit(new HostStream.Wait(mark));

          Threads.both(mark::happen, () -> stream.submit(tally));
          awaitAll(stream);

          assertThat(tally.count).isEqualTo(1);
          threads.close();
        });
  }

  @Test
  void claimsOnlyWhatNobodyElseRuns() {
    Schedules.explore(
        300,
        () -> {
          StreamThreads threads = StreamThreads.named("test");
          HostStream stream = new HostStream(ID, threads, false);
          Tally tally = new Tally();

          Threads.both(() -> stream.submit(tally), () -> runClaimed(stream, tally));
          awaitAll(stream);

          assertThat(tally.count).isEqualTo(2);
          assertThat(stream.isIdle()).isTrue();
          threads.close();
        });
  }

  @Test
  void isClaimedByOneThreadAtATime() {
    Schedules.explore(
        300,
        () -> {
          StreamThreads threads = StreamThreads.named("test");
          HostStream stream = new HostStream(ID, threads, false);
          Tally tally = new Tally();

          Threads.both(() -> runClaimed(stream, tally), () -> runClaimed(stream, tally));
          awaitAll(stream);

          assertThat(tally.count).isEqualTo(2);
          threads.close();
        });
  }

  private static void runClaimed(HostStream stream, Tally tally) {
    boolean claimed = stream.tryClaim();
    stream.submit(tally);
    if (claimed) {
      stream.runClaimed();
    }
  }

  @Test
  void handsAClaimThatIsHeldToTheThreads() {
    Schedules.explore(
        300,
        () -> {
          StreamThreads threads = StreamThreads.named("test");
          HostStream first = new HostStream(ID, threads, false);
          HostStream claimed = new HostStream(ID, threads, false);
          Mark mark = new Mark(first, null, 0);
          Tally tally = new Tally();

          Threads.both(
              () -> {
                first.submit(tally.expecting(0));
                first.submit(mark);
              },
              () -> {
                assertThat(claimed.tryClaim()).isTrue();
                claimed.submit(new HostStream.Wait(mark));
                claimed.submit(tally.expecting(1));
                claimed.runClaimed();
              });
          awaitAll(claimed);

          assertThat(tally.count).isEqualTo(2);
          threads.close();
        });
  }

  @Test
  void drainsAStreamThatIsDestroyed() {
    Schedules.explore(
        300,
        () -> {
          HostDriver driver = new HostDriver(ID, 0);
          long stream = driver.createStream(StreamOptions.defaults().withBlocking());
          Tally tally = new Tally();
          driver.call(stream, tally.expecting(0));

          Threads.both(
              () -> driver.destroyStream(stream), () -> driver.call(0, tally.expecting(1)));
          awaitAll(driver, 0);
          driver.close();

          assertThat(tally.count).isEqualTo(2);
          assertThat(driver.describe()).isEmpty();
        });
  }

  @Test
  void ordersTheNullStreamWithBlockingOnesWhicheverIsFirst() {
    Schedules.explore(
        300,
        () -> {
          HostDriver driver = new HostDriver(ID, 0);
          long stream = driver.createStream(StreamOptions.defaults().withBlocking());
          Tally tally = new Tally();

          Threads.both(() -> driver.call(stream, tally), () -> driver.call(0, tally));
          awaitAll(driver, 0);
          awaitAll(driver, stream);
          driver.close();

          assertThat(tally.count).isEqualTo(2);
        });
  }

  @Test
  void anEventOfTwoThreadsHoldsTheRecordThatWasSubmittedLast() {
    Schedules.explore(
        300,
        () -> {
          HostDriver driver = new HostDriver(ID, 0);
          long stream = driver.createStream(StreamOptions.defaults());
          long event = driver.createEvent();
          Tally tally = new Tally();
          Runnable record =
              () -> {
                driver.call(stream, tally);
                driver.recordEvent(event, stream);
              };

          Threads.both(record, record);

          assertThat(driver.synchronizeEvent(event, Long.MAX_VALUE)).isTrue();
          assertThat(tally.count).isEqualTo(2);
          driver.close();
        });
  }

  @Test
  void refusesOnlyWhatNoThreadComesFor() {
    Schedules.explore(
        300,
        () -> {
          AtomicInteger asked = new AtomicInteger();
          StreamThreads threads =
              new StreamThreads(
                  work -> asked.getAndIncrement() == 0 ? refused() : new Thread(work));
          HostStream stream = new HostStream(ID, threads, false);
          Tally tally = new Tally();
          AtomicInteger accepted = new AtomicInteger();
          // More than the queue has places for at first, so that places are used again.
          Runnable submit = () -> submit(stream, tally, 5, accepted);

          Threads.both(submit, submit);
          awaitAll(stream);

          assertThat(tally.count).isEqualTo(accepted.get());
          threads.close();
        });
  }

  private static void submit(HostStream stream, Tally tally, int times, AtomicInteger accepted) {
    for (int i = 0; i < times; i++) {
      try {
        stream.submit(tally);
        accepted.incrementAndGet();
      } catch (DeviceException e) {
        assertThat(e).hasMessageContaining("Thread.start");
      }
    }
  }

  private static Thread refused() {
    return new Thread() {
      @Override
      public void start() {
        throw new OutOfMemoryError("unable to create native thread");
      }
    };
  }
}
