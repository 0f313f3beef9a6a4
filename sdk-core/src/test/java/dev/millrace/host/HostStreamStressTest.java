package dev.millrace.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.handle.DeviceId;
import dev.millrace.handle.StreamOptions;
import dev.millrace.testing.Seeds;
import dev.millrace.testing.Threads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * Many threads on the same streams. What a stream's functions and what events order is read and
 * written here as plain memory: an order that is lost, or one that is not seen by the next thread,
 * shows as a wrong number, a wake-up that is lost as a stream that hangs.
 */
class HostStreamStressTest {
  private static final int THREADS = 6;
  private static final int STORIES = 30_000;
  private static final int BLOCKING = 3;
  private static final int STREAMS = 9;
  private static final long HANG_NS =
      TimeUnit.SECONDS.toNanos(Long.getLong("millrace.test.hang", 60));

  private final HostDriver driver = new HostDriver(new DeviceId("host", 0), 1 << 20);
  private final List<Lane> lanes = new ArrayList<>();
  private final long[] sharedEvents = new long[4];
  private final AtomicInteger insideNull = new AtomicInteger();
  private final AtomicInteger insideBlocking = new AtomicInteger();
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicInteger told = new AtomicInteger();

  /** What the functions of one stream alone touch. */
  private static final class Lane {
    final long stream;
    final int[] lastOf = new int[THREADS];
    int functions;

    Lane(long stream) {
      this.stream = stream;
    }
  }

  /** Written by one function, read by one that is ordered behind it. */
  private static final class Box {
    int value;
  }

  @Test
  void losesNeitherOrderNorWakeUp(TestInfo info) throws InterruptedException {
    SplittableRandom random = Seeds.of(info).random();
    for (int i = 0; i < STREAMS; i++) {
      lanes.add(new Lane(i == 0 ? 0 : newStream(i <= BLOCKING)));
    }
    Arrays.setAll(sharedEvents, _ -> driver.createEvent());
    List<Teller> tellers = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      tellers.add(new Teller(thread, random.split()));
    }

    Threads.together(tellers.stream().<Threads.Task>map(teller -> teller::tellAll).toList());
    lanes.forEach(lane -> synchronize(lane.stream));
    driver.close();

    assertThat(wrong).isEmpty();
    assertThat(told)
        .as("functions that ran")
        .hasValue(tellers.stream().mapToInt(t -> t.told).sum());
    assertThat(lanes.stream().mapToInt(lane -> lane.functions).sum())
        .as("functions that counted, one at a time")
        .isEqualTo(tellers.stream().mapToInt(teller -> teller.counted).sum());
    assertThat(driver.describe()).isEmpty();
  }

  private long newStream(boolean blocking) {
    StreamOptions options = StreamOptions.defaults();
    return driver.createStream(blocking ? options.withBlocking() : options);
  }

  private void synchronize(long stream) {
    if (!driver.synchronizeStream(stream, HANG_NS)) {
      throw new AssertionError("stream hangs: " + driver.describe());
    }
  }

  /** Functions of the null stream and of blocking ones never run at the same time. */
  private void apart(AtomicInteger mine, AtomicInteger others, Runnable function, boolean slow) {
    mine.incrementAndGet();
    run(function, slow);
    expect(others.get(), 0, "null stream beside a blocking one");
    mine.decrementAndGet();
  }

  // Giving the processor away is the point: it makes other interleavings.
  @SuppressWarnings("ThreadPriorityCheck")
  private static void run(Runnable function, boolean slow) {
    function.run();
    if (slow) {
      Thread.yield();
    }
  }

  private void expect(int value, int expected, String story) {
    if (value != expected) {
      wrong.add(story + ": saw " + value + " instead of " + expected);
    }
  }

  /** One submitting thread. */
  private final class Teller {
    private final int thread;
    private final SplittableRandom random;
    private final int[] submitted = new int[STREAMS];
    private final long event = driver.createEvent();
    private long mine = newStream(false);
    private boolean mineBlocks;
    private int told;
    private int counted;

    Teller(int thread, SplittableRandom random) {
      this.thread = thread;
      this.random = random;
    }

    void tellAll() {
      for (int i = 0; i < STORIES; i++) {
        tell(i);
        if (i % 256 == 255) {
          count(random.nextInt(STREAMS - 1), true);
        }
      }
      synchronize(mine);
    }

    private void tell(int i) {
      switch (random.nextInt(10)) {
        case 0, 1 -> count(random.nextInt(STREAMS - 1), random.nextInt(16) == 0);
        case 2, 3 -> passOn(i);
        case 4 -> throughTheNullStream(i);
        case 5 -> recordAndWaitForOthers();
        case 6 -> whenDone();
        case 7 -> alone(i);
        case 8 -> claim();
        default -> drainAndReplace(i);
      }
    }

    private void call(long stream, Runnable function) {
      told++;
      boolean slow = random.nextInt(64) == 0;
      boolean blocking = stream == mine ? mineBlocks : isBlocking(stream);
      driver.call(
          stream,
          () -> {
            if (stream == 0) {
              apart(insideNull, insideBlocking, function, slow);
            } else if (blocking) {
              apart(insideBlocking, insideNull, function, slow);
            } else {
              run(function, slow);
            }
            HostStreamStressTest.this.told.incrementAndGet();
          });
    }

    private boolean isBlocking(long stream) {
      return lanes.subList(1, BLOCKING + 1).stream().anyMatch(lane -> lane.stream == stream);
    }

    private long any() {
      return lanes.get(random.nextInt(STREAMS - 1)).stream;
    }

    /** Functions of one stream come one at a time and, from one thread, in order. */
    private void count(int stream, boolean wait) {
      Lane lane = lanes.get(stream);
      submitCount(stream, lane);
      if (wait) {
        synchronize(lane.stream);
        expect(lane.lastOf[thread], submitted[stream], "count and synchronize");
      }
    }

    private void submitCount(int stream, Lane lane) {
      int number = ++submitted[stream];
      counted++;
      call(
          lane.stream,
          () -> {
            expect(lane.lastOf[thread], number - 1, "count");
            lane.lastOf[thread] = number;
            lane.functions++;
          });
    }

    /** Each stream waits for the one before it; the event is recorded again and again. */
    private void passOn(int i) {
      Box box = new Box();
      long stream = any();
      int hops = random.nextInt(1, 4);
      for (int hop = 0; hop <= hops; hop++) {
        int expected = hop == 0 ? 0 : i + hop;
        int value = i + hop + 1;
        call(
            stream,
            () -> {
              expect(box.value, expected, "pass on");
              box.value = value;
            });
        driver.recordEvent(event, stream);
        stream = any();
        driver.waitEvent(stream, event);
      }
    }

    private void throughTheNullStream(int i) {
      Box box = new Box();
      long first = lanes.get(random.nextInt(1, BLOCKING + 1)).stream;
      long last = lanes.get(random.nextInt(1, BLOCKING + 1)).stream;
      call(first, () -> box.value = i);
      call(
          0,
          () -> {
            expect(box.value, i, "null stream behind a blocking one");
            box.value = i + 1;
          });
      call(last, () -> expect(box.value, i + 1, "blocking stream behind the null stream"));
    }

    private void recordAndWaitForOthers() {
      driver.recordEvent(sharedEvents[random.nextInt(1, sharedEvents.length)], any());
      driver.waitEvent(any(), sharedEvents[random.nextInt(sharedEvents.length)]);
      driver.waitEvent(any(), sharedEvents[random.nextInt(sharedEvents.length)]);
    }

    private void whenDone() {
      told++;
      Box box = new Box();
      long stream = any();
      call(stream, () -> box.value = 1);
      driver.recordEvent(event, stream);
      driver.whenDone(
          event,
          () -> {
            expect(box.value, 1, "when done");
            HostStreamStressTest.this.told.incrementAndGet();
          });
      if (random.nextInt(8) == 0) {
        awaitEvent(event);
        expect(box.value, 1, "synchronize event");
      }
    }

    /** A stream that is idle each time. */
    private void alone(int i) {
      Box box = new Box();
      call(mine, () -> box.value = i);
      synchronize(mine);
      expect(box.value, i, "alone");
      // Others may ask a blocking stream for its last point at any moment: that is work too.
      if (!mineBlocks && !driver.isStreamIdle(mine)) {
        wrong.add("busy after synchronize: " + driver.describe());
      }
    }

    /** A stream that is often idle; others submit to it while it is claimed. */
    @SuppressWarnings("ThreadPriorityCheck")
    private void claim() {
      Lane lane = lanes.getLast();
      boolean claimed = driver.tryClaim(lane.stream);
      submitCount(STREAMS - 1, lane);
      Box box = new Box();
      call(
          lane.stream,
          () -> {
            Thread.yield();
            box.value = 1;
          });
      driver.recordEvent(sharedEvents[0], lane.stream);
      if (claimed) {
        driver.runClaimed(lane.stream);
      } else if (random.nextBoolean()) {
        // Recorded by several threads: it stands for my record, or for a later one.
        awaitEvent(sharedEvents[0]);
        expect(box.value, 1, "synchronize shared event");
      }
    }

    private void awaitEvent(long awaited) {
      if (!driver.synchronizeEvent(awaited, HANG_NS)) {
        wrong.add("event hangs: " + driver.describe());
      }
    }

    private void drainAndReplace(int i) {
      Box box = new Box();
      call(mine, () -> box.value = i);
      driver.recordEvent(event, mine);
      driver.destroyStream(mine);
      mineBlocks = random.nextBoolean();
      mine = newStream(mineBlocks);
      driver.waitEvent(mine, event);
      call(mine, () -> expect(box.value, i, "new stream behind a destroyed one"));
    }
  }
}
