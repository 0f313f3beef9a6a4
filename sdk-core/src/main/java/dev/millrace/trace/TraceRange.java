package dev.millrace.trace;

import org.jspecify.annotations.Nullable;

/**
 * A named span of the thread that opened it, until it is closed. Made by {@link TraceSession#range}
 * and {@link TraceSession#iteration}; to be closed on the same thread, the innermost first, which a
 * {@code try} block does.
 */
public final class TraceRange implements AutoCloseable {
  static final TraceRange NONE = new TraceRange("", null, false);

  private final String name;
  private final Trace.@Nullable Iteration iteration;
  private final boolean recorded;
  private final Thread thread = Thread.currentThread();
  private final Trace.@Nullable Iteration before;
  private final long beginNs;
  private boolean open;

  private TraceRange(String name, Trace.@Nullable Iteration iteration, boolean recorded) {
    this.name = name;
    this.iteration = iteration;
    this.recorded = recorded;
    this.open = recorded || iteration != null;
    this.before = iteration != null ? Trace.enterIteration(iteration) : null;
    this.beginNs = recorded ? System.nanoTime() : 0;
  }

  static TraceRange open(String name) {
    return Trace.isOn() ? new TraceRange(name, null, true) : NONE;
  }

  /** Unlike a plain range it counts while nobody listens too: a session may begin inside it. */
  static TraceRange openIteration(String caller, long number) {
    var iteration = new Trace.Iteration(caller, number);
    return new TraceRange("millrace.iteration", iteration, Trace.isOn());
  }

  /** Ends the span. Closing it again does nothing. */
  @Override
  public void close() {
    if (!open) {
      return;
    }
    open = false;
    if (recorded && Trace.isOn()) {
      Trace.emit(ended(System.nanoTime()));
    }
    if (iteration != null && Thread.currentThread() == thread) {
      Trace.enterIteration(before);
    }
  }

  private TraceEvent ended(long endNs) {
    String caller = iteration != null ? iteration.caller() : Trace.currentCaller();
    long number = iteration != null ? iteration.number() : Trace.currentIteration();
    return new TraceEvent.Range(name, caller, number, thread.threadId(), beginNs, endNs);
  }
}
