package dev.millrace.host;

import dev.millrace.error.DeviceException;
import dev.millrace.handle.DeviceId;
import dev.millrace.spi.HostWork;
import dev.millrace.spi.StreamState;
import dev.millrace.trace.Trace;
import dev.millrace.trace.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stream: things to do, in order, by at most one thread at a time. Three kinds of thing are
 * queued: a {@link Mark} is reached, a {@link Wait} holds the stream until another stream's mark is
 * reached, a {@link HostWork} is run.
 *
 * <p>A stream that is held has no thread: the thread that reaches the mark makes it ready again.
 */
final class HostStream extends HandleTable.Entry {

  /** Holds the stream until the mark is reached. */
  record Wait(Mark mark) {}

  private enum State {
    /** Nothing is queued and nothing runs. */
    IDLE,
    /** Given to the threads, or running on one. */
    ACTIVE,
    /** Held by a mark. */
    HELD
  }

  private static final int MOST_FAILURES = 64;

  private final DeviceId device;
  private final StreamThreads threads;
  private final boolean blocking;
  private final long traceId = Trace.nextId();
  private final Runnable resume = this::resume;
  private final List<Throwable> failures = new ArrayList<>();
  private @Nullable Object[] queue = new @Nullable Object[8];
  private long[] correlations = new long[8];
  private long first;
  private long next;
  private State state = State.IDLE;
  private long sinceNs = System.nanoTime();
  private @Nullable Object current;
  private @Nullable Thread claimer;
  private volatile @Nullable Thread runner;

  /** Whether the runner is in a host function; only the runner asks. */
  private boolean performing;

  HostStream(DeviceId device, StreamThreads threads, boolean blocking) {
    this.device = device;
    this.threads = threads;
    this.blocking = blocking;
  }

  long traceId() {
    return traceId;
  }

  boolean isBlocking() {
    return blocking;
  }

  /**
   * Whether all is done. The thread that reached the last point may still be about to notice; but
   * what waits for an event's record may be more than a thread, and is part of what is to be done.
   */
  synchronized boolean isIdle() {
    return state == State.IDLE
        || (first == next
            && current instanceof Mark last
            && last.event == null
            && last.hasHappened());
  }

  /** Queues a thing, and gives its place in the stream's order. */
  long submit(Object thing) {
    return submit(thing, 0);
  }

  synchronized long submit(Object thing, long correlation) {
    long index = push(thing, correlation);
    if (state == State.IDLE) {
      become(State.ACTIVE, null);
      if (!threads.ready(this)) {
        throw withdrawn(index);
      }
    }
    return index;
  }

  /** There is no thread for it: the stream is idle again, as it was. */
  private DeviceException withdrawn(long index) {
    queue[slot(index)] = null;
    next = index;
    become(State.IDLE, null);
    return DeviceException.of(
        "submit to stream=" + traceId,
        device,
        "Thread.start",
        new OutOfMemoryError("unable to create a native thread"));
  }

  private long push(Object thing, long correlation) {
    if (next - first == queue.length) {
      grow();
    }
    long index = next++;
    queue[slot(index)] = thing;
    correlations[slot(index)] = correlation;
    if (thing instanceof Mark mark) {
      mark.index = index;
    }
    return index;
  }

  private int slot(long index) {
    return (int) (index & (queue.length - 1));
  }

  private void grow() {
    @Nullable Object[] wider = new @Nullable Object[queue.length * 2];
    long[] widerCorrelations = new long[wider.length];
    for (long i = first; i < next; i++) {
      int to = (int) (i & (wider.length - 1));
      wider[to] = queue[slot(i)];
      widerCorrelations[to] = correlations[slot(i)];
    }
    queue = wider;
    correlations = widerCorrelations;
  }

  private void become(State now, @Nullable Object doing) {
    state = now;
    current = doing;
    sinceNs = System.nanoTime();
  }

  private void resume() {
    synchronized (this) {
      become(State.ACTIVE, null);
    }
    goOn();
  }

  /** What was accepted is done, on the calling thread if there is no other. */
  private void goOn() {
    if (!threads.ready(this)) {
      drain();
    }
  }

  private void drain() {
    runner = Thread.currentThread();
    while (step()) {
      // until the stream is idle or held
    }
  }

  /**
   * Does what can be done now, on a thread of all streams: as soon as others wait for it this one
   * waits behind them. One thread at a time: the one that the stream was given to.
   */
  void takeTurn() {
    runner = Thread.currentThread();
    while (step()) {
      if (threads.othersWait() && hasMore()) {
        runner = null;
        threads.putBack(this);
        return;
      }
    }
  }

  private synchronized boolean hasMore() {
    return first < next;
  }

  private boolean step() {
    Object thing;
    long index;
    long correlation;
    synchronized (this) {
      if (first == next) {
        runner = null;
        become(State.IDLE, null);
        return false;
      }
      index = first++;
      int slot = slot(index);
      thing = queue[slot];
      correlation = correlations[slot];
      queue[slot] = null;
      become(State.ACTIVE, thing);
    }
    return switch (thing) {
      case Mark mark -> passed(mark);
      case Wait wait -> !held(wait.mark());
      case HostWork work -> perform(work, index, correlation);
      case null, default -> throw new AssertionError(thing);
    };
  }

  private boolean passed(Mark mark) {
    mark.reach();
    return true;
  }

  private boolean held(Mark mark) {
    if (mark.hasHappened()) {
      return false;
    }
    Thread claimedBy;
    synchronized (this) {
      become(State.HELD, mark);
      runner = null;
      claimedBy = claimer;
      claimer = null; // whoever reaches the mark gives the stream to the threads
    }
    if (mark.whenHappens(resume)) {
      return true;
    }
    synchronized (this) {
      become(State.ACTIVE, null);
      runner = Thread.currentThread();
      claimer = claimedBy;
    }
    return false;
  }

  private boolean perform(HostWork work, long index, long correlation) {
    long beganNs = Trace.isOn() ? System.nanoTime() : 0;
    performing = true;
    try {
      work.run();
    } catch (Throwable t) { // an Error too is the stream's failure: its thread serves others
      addFailure(t);
    } finally {
      performing = false;
    }
    if (beganNs != 0) {
      Trace.emit(
          new TraceEvent.DeviceWork(
              work.kind(),
              work.name(),
              correlation,
              traceId,
              index,
              beganNs,
              System.nanoTime(),
              work.runId()));
    }
    return true;
  }

  /** Makes the calling thread the one that runs this stream, if nothing is queued or runs. */
  synchronized boolean tryClaim() {
    if (state != State.IDLE) {
      return false;
    }
    become(State.ACTIVE, null);
    runner = Thread.currentThread();
    claimer = runner;
    return true;
  }

  /** Does on the claiming thread what was submitted until now; the rest is for the threads. */
  void runClaimed() {
    if (!doClaimed()) {
      return;
    }
    synchronized (this) {
      runner = null;
      claimer = null;
      if (first == next) {
        become(State.IDLE, null);
        return;
      }
    }
    goOn();
  }

  /** False if the claim has ended on the way: the stream is held. */
  private boolean doClaimed() {
    long end;
    synchronized (this) {
      end = next;
    }
    while (isClaimedHere()) {
      if (!isBefore(end)) {
        return true;
      }
      step();
    }
    return false;
  }

  private synchronized boolean isClaimedHere() {
    return claimer == Thread.currentThread();
  }

  private synchronized boolean isBefore(long end) {
    return first < end;
  }

  private void addFailure(Throwable failure) {
    synchronized (failures) {
      if (failures.size() < MOST_FAILURES) {
        failures.add(failure);
      }
    }
  }

  List<Throwable> takeFailures() {
    synchronized (failures) {
      if (failures.isEmpty()) {
        return List.of();
      }
      List<Throwable> taken = List.copyOf(failures);
      failures.clear();
      return taken;
    }
  }

  /** The last point of what was submitted so far; null if all of it is done. */
  @Nullable Mark lastMark() {
    Mark mark;
    synchronized (this) {
      if (isIdle()) {
        return null;
      }
      if (first < next && queue[slot(next - 1)] instanceof Mark last && last.event == null) {
        return last; // whoever asks again and again does not fill the queue
      }
      mark = new Mark(this, null, 0);
      push(mark, 0); // somebody is active or will resume: no need to wake anyone
    }
    return mark;
  }

  /** Refuses a thread that would wait for itself. */
  void checkWaiter() {
    if (runner == Thread.currentThread() && (performing || !isClaimedHere())) {
      throw new IllegalStateException(
          "synchronize stream="
              + traceId
              + " from a host function of that stream: it would wait for itself");
    }
  }

  /** Waits for a point of the stream; the thread that has claimed the stream does its work. */
  boolean await(@Nullable Mark last, long timeoutNs) {
    doClaimed();
    return last == null || last.await(timeoutNs);
  }

  /** What the stream does at this moment; null if it is idle. */
  synchronized @Nullable StreamState describe() {
    if (isIdle()) {
      return null;
    }
    return new StreamState(traceId, sentence(), sinceNs, (int) (next - first));
  }

  private String sentence() {
    return switch (current) {
      case Mark mark when state == State.HELD -> "waits for " + describe(mark);
      case HostWork work ->
          "runs " + work.name() + (work.runId() == 0 ? "" : " run=" + work.runId());
      case null, default -> "is about to run";
    };
  }

  private static String describe(Mark mark) {
    HostEvent event = mark.event;
    String what =
        event == null ? "" : "event=" + event.traceId() + " generation=" + mark.generation + " of ";
    return what + "stream=" + mark.stream.traceId() + " index=" + mark.index;
  }
}
