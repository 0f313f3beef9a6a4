package dev.millrace.gpu.stream;

import dev.millrace.lifetime.Once;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Gives back what costs time to give back: freeing memory waits for the device, and so does
 * destroying a stream. It takes turns with captures, which both would invalidate.
 */
final class Housekeeping {
  private static final System.Logger LOG = System.getLogger("dev.millrace.gpu");

  private final int ordinal;
  private final DeviceThread thread;
  private final LinkedBlockingQueue<Job> jobs = new LinkedBlockingQueue<>();
  private volatile boolean closing;
  private boolean ended;

  private record Job(String act, Runnable work) {}

  Housekeeping(int ordinal) {
    this.ordinal = ordinal;
    this.thread = new DeviceThread(ordinal, "housekeeping", this::serve);
  }

  void start() {
    thread.start();
  }

  /** Does something later, or here once this is closed; what it throws is logged. */
  void later(String act, Runnable work) {
    Job job = new Job(act, work);
    if (!added(job)) {
      performHere(job);
    }
  }

  private synchronized boolean added(Job job) {
    return !ended && jobs.add(job);
  }

  /** What outlived its device: nothing is in flight that it could wait for. */
  private void performHere(Job job) {
    int former = CurrentDevice.enter(ordinal);
    try {
      perform(job);
    } finally {
      CurrentDevice.leave(former, ordinal);
    }
  }

  /**
   * Waits until all is done that was added before.
   *
   * @return false if the time ran out first
   */
  boolean flush(long timeoutNs) {
    Once reached = new Once();
    later("reach a point", reached::happen);
    return thread.isCurrent() || reached.await(timeoutNs);
  }

  /** Does what is left, and ends. */
  void close() {
    later("end", () -> closing = true);
    thread.join();
  }

  /** Ends without doing what is left, if it is not in the middle of something: the process ends. */
  void stop() {
    closing = true;
    jobs.clear();
    added(new Job("end", () -> {}));
  }

  private void serve() {
    while (!isAtEnd()) {
      try {
        perform(jobs.take());
      } catch (InterruptedException e) {
        // Nobody has a reason to interrupt this thread; go on serving.
      }
    }
  }

  private synchronized boolean isAtEnd() {
    ended = closing && jobs.isEmpty();
    return ended;
  }

  private void perform(Job job) {
    try {
      CaptureGate.loadOrFree(job.act, job.work);
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.WARNING, job.act, e);
    }
  }
}
