package dev.millrace.gpu.stream;

import dev.millrace.gpu.ffi.HipEvents;
import dev.millrace.trace.Trace;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What the driver knows of an event of HIP beyond its address: where it was recorded last, and who
 * waits for that. Its native event is used again when it was given back and nobody waits.
 */
final class GpuEvent {
  /** It was given out and not given back. */
  private static final int LIVE = 1;

  /** The completion thread has it. */
  private static final int WATCHED = 2;

  private static final VarHandle USE;
  private static final VarHandle ACTIONS;
  private static final VarHandle SYNCHRONIZERS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      USE = lookup.findVarHandle(GpuEvent.class, "use", int.class);
      ACTIONS = lookup.findVarHandle(GpuEvent.class, "actions", Object.class);
      SYNCHRONIZERS = lookup.findVarHandle(GpuEvent.class, "synchronizers", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Several actions, newest first. */
  private record Chain(Runnable action, Object older) {}

  final long address;
  final EventPool pool;
  private long traceId;
  private volatile int use;

  private volatile @Nullable GpuStream stream;
  private volatile int generation;
  private volatile int doneGeneration;
  private volatile long index;

  /** Null, a Runnable, or a Chain. */
  private volatile @Nullable Object actions;

  private volatile int synchronizers;

  /** The next in the completion thread's inbox. */
  @Nullable GpuEvent next;

  // The completion thread's alone: its number among those that were watched, and how often in a
  // row a question about it failed.
  long number;
  int failedQueries;

  GpuEvent(long address, EventPool pool) {
    this.address = address;
    this.pool = pool;
  }

  /** Given out, never recorded. */
  void begin() {
    traceId = Trace.nextId();
    stream = null;
    generation = 0;
    doneGeneration = 0;
    failedQueries = 0;
    use = LIVE;
  }

  boolean isLive() {
    return (use & LIVE) != 0;
  }

  /** Given back. Its owner calls this once; true if nobody waits for it any more. */
  boolean end() {
    return (int) USE.getAndBitwiseAnd(this, ~LIVE) == LIVE;
  }

  long traceId() {
    return traceId;
  }

  int generation() {
    return generation;
  }

  @Nullable GpuStream stream() {
    return stream;
  }

  long index() {
    return index;
  }

  /** Records it; locked, so that what is known is of the record that HIP made last. */
  synchronized void record(GpuStream on, long place) {
    HipEvents.eventRecord(address, on.address);
    stream = on;
    index = place;
    generation++;
  }

  /** Without asking the device: never recorded, seen done, or of a stream that is gone. */
  boolean isKnownDone() {
    GpuStream on = stream;
    return on == null || doneGeneration == generation || !on.holds.isHeld();
  }

  /**
   * Asks the device. HIP would follow the event to a stream that may be destroyed, so that is kept
   * meanwhile.
   */
  boolean query() {
    int asked = generation;
    GpuStream on = stream;
    if (isKnownDone() || on == null || !on.holds.retain()) {
      return true;
    }
    try {
      if (!HipEvents.eventQuery(address)) {
        return false;
      }
    } finally {
      pool.release(on);
    }
    doneGeneration = asked;
    on.progressed();
    return true;
  }

  /** Notes that the latest record was seen done. */
  void seenDone(int seen) {
    doneGeneration = seen;
  }

  /** A thread waits in HIP, which keeps the event locked: nobody shall ask meanwhile. */
  void synchronizing(int change) {
    SYNCHRONIZERS.getAndAdd(this, change);
  }

  boolean isSynchronized() {
    return synchronizers > 0;
  }

  /** Adds what waits; true if the completion thread does not have the event yet. */
  boolean watch(Runnable action) {
    while (true) {
      Object seen = actions;
      Object added = seen == null ? action : new Chain(action, seen);
      if (ACTIONS.compareAndSet(this, seen, added)) {
        return isNewlyWatched();
      }
    }
  }

  private boolean isNewlyWatched() {
    return ((int) USE.getAndBitwiseOr(this, WATCHED) & WATCHED) == 0;
  }

  /** Takes what waits, for {@link #forEach}. */
  @Nullable Object takeActions() {
    return ACTIONS.getAndSet(this, null);
  }

  interface Visitor {
    void accept(Runnable action);
  }

  /** Visits actions, oldest first. */
  static void forEach(@Nullable Object actions, Visitor visitor) {
    if (actions instanceof Runnable only) {
      visitor.accept(only);
      return;
    }
    Deque<Runnable> oldestFirst = new ArrayDeque<>();
    Object next = actions;
    while (next instanceof Chain chain) {
      oldestFirst.push(chain.action);
      next = chain.older;
    }
    if (next instanceof Runnable first) {
      oldestFirst.push(first);
    }
    oldestFirst.forEach(visitor::accept);
  }

  /** The completion thread lets go. Gives whether it has to take it again. */
  boolean unwatch() {
    if ((int) USE.getAndBitwiseAnd(this, ~WATCHED) == WATCHED) {
      pool.takeBack(this);
      return false;
    }
    // Somebody may have added an action while the event still counted as watched.
    return actions != null && isNewlyWatched();
  }
}
