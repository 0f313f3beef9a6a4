package dev.millrace.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.DeviceException;
import dev.millrace.handle.DeviceId;
import dev.millrace.spi.HostWork;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a device does with few threads, or none: the system may refuse to start one. */
class StreamThreadsTest {
  private static final DeviceId ID = new DeviceId("host", 0);
  private static final HostWork NOTHING = () -> {};

  private volatile boolean refusing;
  private final AtomicInteger refused = new AtomicInteger();
  private final StreamThreads threads = new StreamThreads(this::newThread);

  private Thread newThread(Runnable work) {
    Thread thread = refusing ? new RefusedThread() : new Thread(work);
    thread.setDaemon(true);
    return thread;
  }

  /** As a JVM whose process may have no more threads. */
  private final class RefusedThread extends Thread {
    @Override
    public void start() {
      refused.incrementAndGet();
      throw new OutOfMemoryError("unable to create native thread");
    }
  }

  private HostStream newStream() {
    return new HostStream(ID, threads, false);
  }

  private static void await(HostStream stream) {
    assertThat(stream.await(stream.lastMark(), Long.MAX_VALUE)).isTrue();
  }

  @Test
  void refusesWhatNoThreadCanServeAndDoesNotRunItLater() {
    HostStream stream = newStream();
    List<String> ran = new ArrayList<>();
    refusing = true;

    assertThatThrownBy(() -> stream.submit(work(ran, "refused")))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("submit to stream=" + stream.traceId())
        .hasMessageContaining("Thread.start");
    assertThat(stream.isIdle()).isTrue();
    await(stream);
    refusing = false;
    stream.submit(work(ran, "served"));
    await(stream);

    assertThat(ran).containsExactly("served");
    threads.close();
  }

  @Test
  void whatAThreadReleasesItDoesItselfWhileThereIsNoOther() {
    HostStream first = newStream();
    HostStream second = newStream();
    Mark mark = new Mark(first, null, 0);
    List<String> ran = new ArrayList<>();
    assertThat(first.tryClaim()).isTrue();
    first.submit(work(ran, "first"));
    first.submit(mark);
    second.submit(new HostStream.Wait(mark));
    second.submit(work(ran, "second"));
    threads.close(); // the one that found the second stream held
    refusing = true;

    first.runClaimed();

    assertThat(ran).containsExactly("first", "second");
    assertThat(first.isIdle()).isTrue();
    assertThat(second.isIdle()).isTrue();
  }

  @Test
  void aThreadThatHasClaimedAStreamKeepsItAlthoughOthersWait() throws InterruptedException {
    HostStream busy = newStream();
    HostStream other = newStream();
    HostStream claimed = newStream();
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    List<Thread> ranOn = new ArrayList<>();
    busy.submit(untilGo(begun, go));
    begun.await();
    refusing = true;
    other.submit(NOTHING);
    assertThat(threads.othersWait()).isTrue();

    assertThat(claimed.tryClaim()).isTrue();
    claimed.submit(remember(ranOn));
    claimed.submit(remember(ranOn));
    claimed.runClaimed();

    assertThat(ranOn).containsExactly(Thread.currentThread(), Thread.currentThread());
    assertThat(claimed.isIdle()).isTrue();
    go.countDown();
    await(other);
    threads.close();
  }

  @Test
  void aStreamThatGivesWayStartsNoThread() throws InterruptedException {
    HostStream first = newStream();
    HostStream second = newStream();
    HostStream third = newStream();
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch busy = new CountDownLatch(2);
    first.submit(untilGo(busy, go));
    first.submit(NOTHING);
    second.submit(untilGo(busy, go));
    busy.await();
    refusing = true;
    third.submit(NOTHING); // waits until one of the two gives way

    go.countDown();
    await(first);
    await(second);
    await(third);

    assertThat(refused).as("threads asked for, for the third stream alone").hasValue(1);
    threads.close();
  }

  private static HostWork work(List<String> ran, String name) {
    return () -> ran.add(name);
  }

  private static HostWork remember(List<Thread> ranOn) {
    return () -> ranOn.add(Thread.currentThread());
  }

  private static HostWork untilGo(CountDownLatch busy, CountDownLatch go) {
    return () -> {
      busy.countDown();
      go.await();
    };
  }
}
