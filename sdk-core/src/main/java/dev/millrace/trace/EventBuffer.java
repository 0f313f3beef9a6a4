package dev.millrace.trace;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Takes events from any thread and gives them to one. A full buffer drops what comes and counts it:
 * a thread of the application never waits for a disk.
 */
final class EventBuffer implements TraceSink {

  /** An event and the thread that said it: its name is read when the row is written. */
  record Entry(TraceEvent event, Thread speaker) {}

  private final int capacity;
  // The queue's own size() walks it.
  private final AtomicInteger size = new AtomicInteger();
  private final ConcurrentLinkedQueue<Entry> queue = new ConcurrentLinkedQueue<>();
  private final KindCounts dropped = new KindCounts();

  EventBuffer(int capacity) {
    this.capacity = capacity;
  }

  @Override
  public void accept(TraceEvent event) {
    if (size.incrementAndGet() > capacity) {
      size.decrementAndGet();
      dropped.add(event);
    } else {
      queue.add(new Entry(event, Thread.currentThread()));
    }
  }

  /** The oldest event, or null if there is none. One thread. */
  @Nullable Entry poll() {
    Entry entry = queue.poll();
    if (entry != null) {
      size.decrementAndGet();
    }
    return entry;
  }

  int capacity() {
    return capacity;
  }

  KindCounts dropped() {
    return dropped;
  }
}
