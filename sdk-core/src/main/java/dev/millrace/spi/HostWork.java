package dev.millrace.spi;

import dev.millrace.trace.TraceEvent.WorkKind;

/** Work that a host thread does in the order of a stream. */
@FunctionalInterface
public interface HostWork {

  /**
   * Does the work. What it throws becomes the stream's failure, and the stream goes on.
   *
   * @throws Exception whatever went wrong
   */
  void run() throws Exception;

  /**
   * What the trace calls it.
   *
   * @return a short constant name
   */
  default String name() {
    return "host function";
  }

  /**
   * What kind of work the trace shows.
   *
   * @return the kind
   */
  default WorkKind kind() {
    return WorkKind.HOST_FUNCTION;
  }

  /**
   * The run it belongs to.
   *
   * @return the run's id, or 0
   */
  default long runId() {
    return 0;
  }
}
