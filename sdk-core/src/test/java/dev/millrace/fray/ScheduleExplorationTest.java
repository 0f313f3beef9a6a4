package dev.millrace.fray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.FrayTest;
import org.pastalab.fray.junit.plain.FrayInTestLauncher;

@Tag("fray")
@ExtendWith(FrayTestExtension.class)
final class ScheduleExplorationTest {

  @FrayTest(iterations = 500, resetClassLoaderPerIteration = false)
  void acceptsACounterUnderALock() {
    assertThat(countFromTwoThreads(new LockedCounter())).isEqualTo(2);
  }

  @Test
  void findsTheLostUpdateOfACounterWithoutALock() {
    Runnable schedule = () -> assertThat(countFromTwoThreads(new RacyCounter())).isEqualTo(2);
    assertThatThrownBy(() -> FrayInTestLauncher.INSTANCE.launchFrayTest(schedule))
        .hasStackTraceContaining("expected: 2");
  }

  private static int countFromTwoThreads(Counter counter) {
    Thread other = new Thread(counter::increment);
    other.start();
    counter.increment();
    join(other);
    return counter.value();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts this thread", e);
    }
  }

  private interface Counter {
    void increment();

    int value();
  }

  private static final class LockedCounter implements Counter {
    private final ReentrantLock lock = new ReentrantLock();
    private volatile int value;

    @Override
    // The update is atomic under the lock; volatile makes each access a point where Fray may
    // switch.
    @SuppressWarnings("NonAtomicVolatileUpdate")
    public void increment() {
      lock.lock();
      try {
        value++;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public int value() {
      return value;
    }
  }

  private static final class RacyCounter implements Counter {
    private volatile int value;

    @Override
    // The race that Fray has to find.
    @SuppressWarnings("NonAtomicVolatileUpdate")
    public void increment() {
      value++;
    }

    @Override
    public int value() {
      return value;
    }
  }
}
