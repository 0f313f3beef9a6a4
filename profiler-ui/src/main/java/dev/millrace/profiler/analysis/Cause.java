package dev.millrace.profiler.analysis;

/**
 * What let an operation begin: the constraint that was satisfied last.
 *
 * @param kind what kind of constraint
 * @param atNs when it was satisfied
 * @param operation the operation whose end satisfied it, or {@link #NONE} where a host thread did
 * @param thread the host thread that satisfied it, or {@link #NONE} where an operation did
 */
record Cause(Kind kind, long atNs, int operation, int thread) {
  static final int NONE = -1;

  /** The trace does not say. */
  static final Cause UNKNOWN = new Cause(Kind.NOTHING, Long.MIN_VALUE, NONE, NONE);

  enum Kind {
    NOTHING,
    PREDECESSOR,
    EVENT,
    HOST
  }

  static Cause predecessor(int operation, long endNs) {
    return new Cause(Kind.PREDECESSOR, endNs, operation, NONE);
  }

  static Cause host(int thread, long atNs) {
    return new Cause(Kind.HOST, atNs, NONE, thread);
  }

  Cause asEvent() {
    return kind == Kind.NOTHING ? this : new Cause(Kind.EVENT, atNs, operation, thread);
  }

  /** The later one; this one where both were satisfied at once. */
  Cause latest(Cause other) {
    return other.atNs > atNs ? other : this;
  }
}
