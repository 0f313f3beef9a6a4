package dev.millrace.host;

import java.util.ArrayDeque;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The platform threads on which a device's streams run: as many as there are streams with something
 * to do, made on demand and ended after a second without work.
 *
 * <p>A fixed number would deadlock as soon as a host function waits for another stream, and virtual
 * threads would starve the application's own, since native code holds their carriers. Where no more
 * can be started, streams wait for those that are there.
 */
final class StreamThreads {
  private static final long KEEP_ALIVE_MS = 1_000;

  private final ThreadFactory factory;
  private final ArrayDeque<HostStream> ready = new ArrayDeque<>();
  private int idle;
  private int live;
  private boolean closed;
  private volatile int waiting;

  StreamThreads(ThreadFactory factory) {
    this.factory = factory;
  }

  /** Daemon threads with this name and a number. */
  static StreamThreads named(String name) {
    return new StreamThreads(Thread.ofPlatform().daemon().name(name + "-", 1).factory());
  }

  /**
   * Lets a stream run as soon as a thread is there for it, which is at once.
   *
   * @return false if there is no thread and none could be started; nothing happens then
   */
  boolean ready(HostStream stream) {
    synchronized (ready) {
      if (ready.size() >= idle) {
        startThread();
      }
      if (live == 0) {
        return false;
      }
      ready.add(stream);
      waiting = ready.size();
      ready.notify();
      return true;
    }
  }

  /** Takes back a stream from a thread that serves the queue, and now goes on with the next one. */
  void putBack(HostStream stream) {
    synchronized (ready) {
      ready.add(stream);
      waiting = ready.size();
    }
  }

  /** Whether a stream that runs should give its thread to another. */
  boolean othersWait() {
    return waiting > 0;
  }

  private void startThread() {
    try {
      factory.newThread(this::serve).start();
      live++;
    } catch (OutOfMemoryError e) {
      // The threads that are there will come to it; if there is none, the caller is told.
    }
  }

  private void serve() {
    HostStream stream = next();
    while (stream != null) {
      stream.takeTurn();
      Thread.interrupted(); // what a host function left behind is not the next stream's
      stream = next();
    }
  }

  private @Nullable HostStream next() {
    synchronized (ready) {
      long patience = System.nanoTime() + KEEP_ALIVE_MS * 1_000_000;
      while (ready.isEmpty()) {
        long leftMs = (patience - System.nanoTime()) / 1_000_000;
        if (closed || leftMs <= 0) {
          live--;
          ready.notifyAll();
          return null;
        }
        idleFor(leftMs);
      }
      HostStream stream = ready.remove();
      waiting = ready.size();
      return stream;
    }
  }

  private void idleFor(long milliseconds) {
    idle++;
    try {
      ready.wait(milliseconds);
    } catch (InterruptedException e) {
      // Nobody has a reason to interrupt these threads; go on serving.
    } finally {
      idle--;
    }
  }

  /** Ends the threads, and returns when they are gone. */
  void close() {
    boolean interrupted = false;
    synchronized (ready) {
      closed = true;
      ready.notifyAll();
      while (live > 0) {
        try {
          ready.wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
