package dev.millrace.trace;

import java.lang.reflect.Method;

/**
 * Counts heap bytes. By reflection, since the module under test does not read the JDK's management
 * module.
 */
final class Allocation {
  private final Object threads;
  private final Method allocated;

  Allocation() throws ReflectiveOperationException {
    threads =
        Class.forName("java.lang.management.ManagementFactory")
            .getMethod("getThreadMXBean")
            .invoke(null);
    allocated =
        Class.forName("com.sun.management.ThreadMXBean")
            .getMethod("getThreadAllocatedBytes", long.class);
  }

  /** What this thread allocates in the work; the counting itself is some tens of bytes of it. */
  long of(Runnable work) throws ReflectiveOperationException {
    long before = now();
    work.run();
    return now() - before;
  }

  private long now() throws ReflectiveOperationException {
    return (Long) allocated.invoke(threads, Thread.currentThread().threadId());
  }
}
