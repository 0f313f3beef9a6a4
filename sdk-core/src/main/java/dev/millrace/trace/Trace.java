package dev.millrace.trace;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Where the SDK says what happened. While nobody listens, {@link #isOn()} is one volatile read and
 * nothing else is done. Any thread.
 */
public final class Trace {
  private static final AtomicLong IDS = new AtomicLong();
  private static final ThreadLocal<Scope> SCOPE = ThreadLocal.withInitial(Scope::new);

  // A session may begin long after its streams were opened, and must still know them.
  private static final ConcurrentHashMap<Long, TraceEvent.StreamOpened> OPEN_STREAMS =
      new ConcurrentHashMap<>();

  private static @Nullable TraceSink session;
  private static @Nullable TraceSink flightRecorder;
  // Both of the above in one, so that the hot path reads one field.
  private static volatile @Nullable TraceSink sink;

  private Trace() {}

  /** What the current thread is doing, for the events that it causes. */
  private static final class Scope {
    long run;
    @Nullable Iteration iteration;
  }

  /** One turn of an application's loop. */
  record Iteration(String caller, long number) {}

  /** Two listeners as one. */
  private record Both(TraceSink first, TraceSink second) implements TraceSink {
    @Override
    public void accept(TraceEvent event) {
      first.accept(event);
      second.accept(event);
    }
  }

  /**
   * Whether anybody listens: ask before making an event.
   *
   * @return true while a session is open, or a flight recording that wants our events runs
   */
  public static boolean isOn() {
    return sink != null;
  }

  /**
   * Hands an event to whoever listens; never blocks and never throws.
   *
   * @param event what happened
   */
  public static void emit(TraceEvent event) {
    TraceSink listener = sink;
    if (listener != null) {
      listener.accept(event);
    }
  }

  /**
   * Says that a stream was opened. Unlike other events this one is said whether or not anybody
   * listens, so that a session that begins later can name the stream.
   *
   * @param opened the stream
   */
  public static void streamOpened(TraceEvent.StreamOpened opened) {
    OPEN_STREAMS.put(opened.stream(), opened);
    emit(opened);
  }

  /**
   * Says that a stream is gone; to be said for each stream that was {@linkplain #streamOpened
   * opened}, whether or not anybody listens.
   *
   * @param closed the stream
   */
  public static void streamClosed(TraceEvent.StreamClosed closed) {
    OPEN_STREAMS.remove(closed.stream());
    emit(closed);
  }

  /**
   * The next id for a stream, an event, a run or a correlated call.
   *
   * @return a number that no other call of this method returned, from 1
   */
  public static long nextId() {
    return IDS.incrementAndGet();
  }

  /**
   * Says which run the current thread submits, so that the calls it makes carry the run's id.
   *
   * @param run the run's id, or 0 for none
   * @return what it was before
   */
  public static long enterRun(long run) {
    Scope scope = SCOPE.get();
    long before = scope.run;
    scope.run = run;
    return before;
  }

  /**
   * The run that the current thread submits.
   *
   * @return its id, or 0
   */
  public static long currentRun() {
    return SCOPE.get().run;
  }

  /**
   * The caller that the current thread works for.
   *
   * @return the name given to the innermost open iteration, else the thread's name
   */
  public static String currentCaller() {
    Iteration iteration = SCOPE.get().iteration;
    return iteration != null ? iteration.caller() : Thread.currentThread().getName();
  }

  /**
   * The iteration that the current thread works on.
   *
   * @return the number given to the innermost open iteration, else 0
   */
  public static long currentIteration() {
    Iteration iteration = SCOPE.get().iteration;
    return iteration != null ? iteration.number() : 0;
  }

  /** Changes what the current thread works on; returns what it was. */
  static @Nullable Iteration enterIteration(@Nullable Iteration next) {
    Scope scope = SCOPE.get();
    Iteration before = scope.iteration;
    scope.iteration = next;
    return before;
  }

  static List<TraceEvent.StreamOpened> openStreams() {
    return List.copyOf(OPEN_STREAMS.values());
  }

  static long lastId() {
    return IDS.get();
  }

  /** Sets or takes away the session that listens. */
  static synchronized void install(@Nullable TraceSink listener) {
    session = listener;
    publish();
  }

  /** Sets or takes away the bridge to the flight recorder. */
  static synchronized void installFlightRecorder(@Nullable TraceSink listener) {
    flightRecorder = listener;
    publish();
  }

  private static void publish() {
    TraceSink first = session;
    TraceSink second = flightRecorder;
    if (first == null || second == null) {
      sink = first == null ? second : first;
    } else {
      sink = new Both(first, second);
    }
  }
}
