package dev.millrace.program;

/** Where a run's work is enqueued. */
public enum RunMode {
  /** On the caller's stream, in its order: no event, no other stream, nothing to wait for. */
  EXTERNAL,
  /**
   * On the program's own stream, which waits for the caller's stream at the begin and for which the
   * caller's stream waits at the end.
   */
  FORK_JOIN
}
