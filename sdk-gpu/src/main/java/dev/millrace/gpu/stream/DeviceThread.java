package dev.millrace.gpu.stream;

import dev.millrace.gpu.ffi.HipDevices;
import dev.millrace.gpu.ffi.HipStreams;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that works for one open device: its HIP calls go to that device, and they disturb no
 * capture of another thread.
 */
final class DeviceThread {
  private static final System.Logger LOG = System.getLogger("dev.millrace.gpu");
  private static final int RELAXED = 2;

  private final int ordinal;
  private final Thread thread;

  DeviceThread(int ordinal, String job, Runnable work) {
    this.ordinal = ordinal;
    this.thread =
        Thread.ofPlatform()
            .daemon()
            .name("millrace-gpu:" + ordinal + "-" + job)
            .inheritInheritableThreadLocals(false)
            .unstarted(
                () -> {
                  prepare();
                  work.run();
                });
  }

  private void prepare() {
    attempt(() -> HipDevices.setDevice(ordinal));
    attempt(() -> HipStreams.exchangeCaptureMode(RELAXED));
  }

  /** Once more if it failed: the thread is needed to say what else does not work. */
  private void attempt(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "begin " + thread.getName(), e);
      retry(call);
    }
  }

  private void retry(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "begin " + thread.getName(), e);
    }
  }

  void start() {
    thread.start();
  }

  boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  boolean isAlive() {
    return thread.isAlive();
  }

  void unpark() {
    LockSupport.unpark(thread);
  }

  /** Waits for its end; an interrupt does not end the wait, and the flag is kept. */
  void join() {
    boolean interrupted = false;
    while (thread.isAlive() && !isCurrent()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
