package dev.millrace.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what a garbage collection brings about. */
public final class Garbage {
  private static final Duration HANG = Duration.ofSeconds(60);

  private Garbage() {}

  /** Collects until the condition holds, which for a leak takes one collection or two. */
  public static void collectUntil(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > HANG.toNanos()) {
        throw new AssertionError("no collection brought it about in " + HANG);
      }
      System.gc();
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }
}
