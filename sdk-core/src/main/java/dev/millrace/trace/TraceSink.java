package dev.millrace.trace;

/** Takes events as they happen, on the thread on which they happened. */
@FunctionalInterface
interface TraceSink {
  /** Keeps or drops the event; never blocks and never throws. */
  void accept(TraceEvent event);
}
