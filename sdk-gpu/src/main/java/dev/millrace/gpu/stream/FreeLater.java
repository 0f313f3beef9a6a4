package dev.millrace.gpu.stream;

import dev.millrace.gpu.ffi.HipStreams;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gives things back on a thread of its own, which may wait for a capture to end and for a device;
 * the thread that lets go last may not.
 */
public final class FreeLater {
  private static final System.Logger LOG = System.getLogger("dev.millrace.gpu");
  private static final int RELAXED = 2;

  private static final Set<Job> PENDING = ConcurrentHashMap.newKeySet();

  private record Job(int ordinal, Thread thread) {}

  private FreeLater() {}

  /**
   * Gives something back, soon.
   *
   * @param act what is given back, for messages
   * @param ordinal the device
   * @param free gives it back; what it throws is logged
   */
  public static void run(String act, int ordinal, Runnable free) {
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("millrace-gpu:" + ordinal + "-free")
            .unstarted(() -> free(act, ordinal, free));
    Job job = new Job(ordinal, thread);
    PENDING.add(job);
    thread.start();
    PENDING.removeIf(one -> one.thread.getState() == Thread.State.TERMINATED);
  }

  private static void free(String act, int ordinal, Runnable free) {
    try {
      HipStreams.exchangeCaptureMode(RELAXED);
      CaptureGate.loadOrFree(act, () -> onDevice(ordinal, free));
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.WARNING, act, e);
    }
  }

  private static void onDevice(int ordinal, Runnable free) {
    int former = CurrentDevice.enter(ordinal);
    try {
      free.run();
    } finally {
      CurrentDevice.leave(former, ordinal);
    }
  }

  /**
   * Waits until all is given back that was handed over before: before a device closes. An interrupt
   * does not end the wait; the thread's flag is kept.
   *
   * @param ordinal the device
   */
  public static void await(int ordinal) {
    boolean interrupted = false;
    for (Job job : List.copyOf(PENDING)) {
      if (job.ordinal == ordinal) {
        interrupted |= join(job.thread);
        PENDING.remove(job);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean join(Thread thread) {
    boolean interrupted = false;
    while (thread.getState() != Thread.State.TERMINATED) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }
}
