package dev.millrace.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs tasks at the same moment, each on a platform thread of its own. */
public final class Threads {
  private static final long HANG_SECONDS = 120;

  private Threads() {}

  /** A task that may fail. */
  @FunctionalInterface
  public interface Task {
    void run() throws Exception;
  }

  /** Lets all tasks go at once, and waits for them; the first failure is thrown. */
  public static void together(List<Task> tasks) throws InterruptedException {
    CountDownLatch ready = new CountDownLatch(tasks.size());
    List<Future<?>> running = new ArrayList<>();
    for (Task task : tasks) {
      FutureTask<Void> future =
          new FutureTask<>(
              () -> {
                ready.countDown();
                ready.await();
                task.run();
                return null;
              });
      running.add(future);
      Thread.ofPlatform().daemon().name("test-" + running.size()).start(future);
    }
    for (Future<?> future : running) {
      await(future);
    }
  }

  /**
   * Runs two tasks at once, one of them on the calling thread. It has no lock and no time-out of
   * its own, so that a schedule explorer sees those of the tasks alone.
   */
  public static void both(Runnable there, Runnable here) {
    Thread other = new Thread(there, "test-other");
    other.start();
    here.run();
    try {
      other.join();
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts this thread", e);
    }
  }

  private static void await(Future<?> future) throws InterruptedException {
    try {
      future.get(HANG_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("a task hangs", e);
    }
  }

  /** Waits at a barrier for the others, so that each round of a stress test starts at once. */
  public static void meet(CyclicBarrier barrier) throws InterruptedException {
    try {
      barrier.await(HANG_SECONDS, TimeUnit.SECONDS);
    } catch (BrokenBarrierException | TimeoutException e) {
      throw new AssertionError("another task failed or hangs", e);
    }
  }
}
