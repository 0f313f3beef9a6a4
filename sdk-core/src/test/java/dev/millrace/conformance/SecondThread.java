package dev.millrace.conformance;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Something that a test does on a thread of its own. */
final class SecondThread<T> {
  private static final Duration HANG = Duration.ofSeconds(30);

  private final FutureTask<T> task;
  private final Thread thread;

  private SecondThread(Thread.Builder builder, Callable<T> work) {
    this.task = new FutureTask<>(work);
    this.thread = builder.start(task);
  }

  static <T> SecondThread<T> start(String name, Callable<T> work) {
    return new SecondThread<>(Thread.ofPlatform().name(name).daemon(), work);
  }

  static <T> SecondThread<T> startVirtual(Callable<T> work) {
    return new SecondThread<>(Thread.ofVirtual(), work);
  }

  /** Does something elsewhere, to its end. */
  static <T> T call(String name, Callable<T> work) throws Exception {
    return start(name, work).result();
  }

  Thread thread() {
    return thread;
  }

  boolean isDone() {
    return task.isDone();
  }

  /** Waits for its end; what it threw is thrown here. */
  T result() throws Exception {
    try {
      return task.get(HANG.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** Waits until the thread waits for something, which it must be certain to do. */
  void awaitWaiting() throws TimeoutException {
    long begin = System.nanoTime();
    while (!isWaiting()) {
      if (isDone() || System.nanoTime() - begin > HANG.toNanos()) {
        throw new TimeoutException(thread + " does not wait: " + thread.getState());
      }
      Thread.onSpinWait();
    }
  }

  /** To Java a thread that waits inside a GPU's runtime runs: only its stack says what it does. */
  private boolean isWaiting() {
    return switch (thread.getState()) {
      case WAITING, TIMED_WAITING -> true;
      case RUNNABLE ->
          Arrays.stream(thread.getStackTrace())
              .anyMatch(
                  frame ->
                      frame.getClassName().startsWith("dev.millrace.gpu.ffi.Hip")
                          && frame.getMethodName().endsWith("Synchronize"));
      default -> false;
    };
  }
}
