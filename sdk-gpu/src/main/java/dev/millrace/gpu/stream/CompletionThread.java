package dev.millrace.gpu.stream;

import dev.millrace.error.DeviceException;
import dev.millrace.lifetime.Once;
import dev.millrace.spi.InFlightRun;
import dev.millrace.trace.Trace;
import dev.millrace.trace.TraceEvent;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs what waits for events, by asking for each of them until it is done. A callback of HIP would
 * hold the stream up instead. Streams are in order: of each, only the oldest event is asked for.
 *
 * <p>It is parked once nobody has waited for a millisecond, and otherwise asks less often the
 * longer nothing happens. Adding an action takes no lock and allocates nothing, unless the event
 * has one already.
 */
final class CompletionThread {
  private static final System.Logger LOG = System.getLogger("dev.millrace.gpu");
  private static final long SHORTEST_PAUSE_NS = 20_000;
  private static final long LONGEST_PAUSE_NS = 500_000;

  /**
   * So long after the last work it only naps: waking it costs whoever submits more than the
   * submission itself.
   */
  private static final long LINGER_NS = 1_000_000;

  /** A pause that is worth a system call to end it. */
  private static final long LONG_PAUSE_NS = 100_000;

  /** After so many errors in a row that are not the device's end, an event counts as failed. */
  private static final int MOST_FAILED_QUERIES = 8;

  private final DeviceThread thread;
  private final DeviceLoss loss;
  private final AtomicReference<@Nullable GpuEvent> inbox = new AtomicReference<>();
  private final AtomicReference<@Nullable Flush> flushes = new AtomicReference<>();
  private final QueryBudget budget = new QueryBudget(System.nanoTime());
  private volatile boolean closing;
  private volatile boolean stopping;
  private volatile boolean asleep;

  // The thread's own.
  private GpuEvent[] watched = new GpuEvent[64];
  private int count;
  private long round;
  private long number;

  /** Happens when everything has run that was added before it. */
  private static final class Flush extends Once {
    private final @Nullable Flush older;

    /** The number of the last event that has to be done first; 0 until the thread sees this. */
    private long last;

    Flush(@Nullable Flush older) {
      this.older = older;
    }
  }

  CompletionThread(int ordinal, DeviceLoss loss) {
    this.loss = loss;
    this.thread = new DeviceThread(ordinal, "completion", this::serve);
  }

  void start() {
    thread.start();
  }

  /** Runs an action, on this thread, once the event's latest record is done. */
  void add(GpuEvent event, Runnable action) {
    GpuStream on = event.stream();
    if (on != null) {
      on.watched.incrementAndGet();
    }
    if (event.watch(action)) {
      push(event);
    }
  }

  private void push(GpuEvent event) {
    GpuEvent seen;
    do {
      seen = inbox.get();
      event.next = seen;
    } while (!inbox.compareAndSet(seen, event));
    wake();
  }

  /** Lets the thread look now. */
  void wake() {
    if (asleep) {
      asleep = false;
      thread.unpark();
    }
  }

  /** Waits until every action has run that was added before, the device being done with its own. */
  void flush() {
    if (thread.isCurrent()) {
      return; // what was added before is run when this action returns
    }
    Flush mine;
    Flush seen;
    do {
      seen = flushes.get();
      mine = new Flush(seen);
    } while (!flushes.compareAndSet(seen, mine));
    wake();
    while (!mine.await(1_000_000_000L) && thread.isAlive()) {
      wake();
    }
  }

  /** Ends the thread once nobody waits any more, or at once where the device is lost. */
  void close() {
    closing = true;
    asleep = false;
    thread.unpark();
    thread.join();
  }

  /** Ends the thread at once, whoever waits: the process is ending. */
  void stop() {
    stopping = true;
    close();
  }

  private void serve() {
    long idleSinceNs = System.nanoTime();
    Flush open = null;
    while (!stopping) {
      boolean anyNew = drainInbox();
      open = newFlushes(open);
      boolean anyDone = count > 0 && askAll();
      open = happened(open);
      if (anyDone || anyNew) {
        idleSinceNs = System.nanoTime();
      } else if (count == 0 && closing && inbox.get() == null) {
        return;
      } else {
        pause(System.nanoTime() - idleSinceNs);
      }
    }
  }

  private boolean drainInbox() {
    GpuEvent newest = inbox.getAndSet(null);
    int first = count;
    while (newest != null) {
      if (count == watched.length) {
        watched = Arrays.copyOf(watched, count * 2);
      }
      watched[count++] = newest;
      GpuEvent older = newest.next;
      newest.next = null;
      newest = older;
    }
    reverse(first, count - 1); // oldest first: the order in which they were recorded
    for (int i = first; i < count; i++) {
      watched[i].number = ++number;
    }
    return count > first;
  }

  private void reverse(int from, int to) {
    for (int i = from, j = to; i < j; i++, j--) {
      GpuEvent swapped = watched[i];
      watched[i] = watched[j];
      watched[j] = swapped;
    }
  }

  /** Asks for the oldest event of each stream; true if one was done. */
  private boolean askAll() {
    round++;
    int kept = 0;
    int before = count;
    for (int i = 0; i < before; i++) {
      GpuEvent event = watched[i];
      if (isDone(event) && !finish(event)) {
        continue;
      }
      watched[kept++] = event;
    }
    Arrays.fill(watched, kept, before, null);
    count = kept;
    return kept < before;
  }

  private boolean isDone(GpuEvent event) {
    if (loss.isLost() || event.isKnownDone()) {
      return true;
    }
    GpuStream on = event.stream();
    if (on == null) {
      return true;
    }
    if (on.heldInRound == round) {
      return false;
    }
    boolean done = !event.isSynchronized() && budget.take(System.nanoTime()) && asked(event);
    if (!done) {
      on.heldInRound = round;
    }
    return done;
  }

  private boolean asked(GpuEvent event) {
    try {
      boolean done = event.query();
      event.failedQueries = 0;
      return done;
    } catch (DeviceException e) {
      loss.seen(e);
      LOG.log(System.Logger.Level.WARNING, "a question about an event failed", e);
      return ++event.failedQueries >= MOST_FAILED_QUERIES;
    }
  }

  /** Runs what waited for an event; true if it has to be watched further. */
  private boolean finish(GpuEvent event) {
    if (Trace.isOn() && event.generation() > 0) {
      // When this was seen; the device reached it earlier.
      Trace.emit(
          new TraceEvent.EventCompleted(event.traceId(), event.generation(), System.nanoTime()));
    }
    GpuStream on = event.stream();
    GpuEvent.forEach(event.takeActions(), action -> run(action, on));
    if (!event.unwatch()) {
      return false;
    }
    event.number = ++number;
    return true;
  }

  private void run(Runnable action, @Nullable GpuStream on) {
    if (on != null) {
      on.watched.decrementAndGet();
    }
    try {
      DeviceException lost = loss.cause();
      if (lost != null && action instanceof InFlightRun run) {
        run.fail(lost);
      }
      action.run();
    } catch (RuntimeException | Error e) {
      // The others must be served, whoever this was.
      LOG.log(System.Logger.Level.ERROR, "what waited for an event failed", e);
    }
  }

  /** Takes new flushes over: each waits for all that is watched now. */
  private @Nullable Flush newFlushes(@Nullable Flush open) {
    Flush newest = flushes.get();
    for (Flush one = newest; one != null && one.last == 0; one = one.older) {
      one.last = Math.max(1, number);
    }
    return newest == null ? open : newest;
  }

  private @Nullable Flush happened(@Nullable Flush open) {
    if (open == null) {
      return null;
    }
    long oldest = Long.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      oldest = Math.min(oldest, watched[i].number);
    }
    boolean allHappened = true;
    for (Flush one = open; one != null; one = one.older) {
      if (!one.hasHappened() && oldest > one.last) {
        one.happen();
      }
      allHappened &= one.hasHappened();
    }
    return allHappened && flushes.compareAndSet(open, null) ? null : open;
  }

  private long pauseAfter(long quietNs) {
    if (count == 0) {
      return quietNs < LINGER_NS ? SHORTEST_PAUSE_NS : Long.MAX_VALUE;
    }
    return Math.clamp(quietNs / 8, SHORTEST_PAUSE_NS, LONGEST_PAUSE_NS);
  }

  private void pause(long quietNs) {
    long pauseNs = pauseAfter(quietNs);
    asleep = pauseNs >= LONG_PAUSE_NS;
    if (inbox.get() != null || (flushes.get() != null && count == 0) || (closing && count == 0)) {
      asleep = false;
      return;
    }
    if (pauseNs == Long.MAX_VALUE) {
      LockSupport.park(this);
    } else {
      LockSupport.parkNanos(this, pauseNs);
    }
    asleep = false;
  }
}
