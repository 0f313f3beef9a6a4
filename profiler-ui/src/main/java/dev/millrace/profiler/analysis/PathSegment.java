package dev.millrace.profiler.analysis;

import dev.millrace.profiler.time.Span;

/**
 * One stretch of a critical path.
 *
 * @param label what it was spent on
 * @param span when
 * @param operation the operation that ran, or that was waited for to begin: a row of the
 *     operations; {@link #NONE} where there is none
 */
public record PathSegment(Label label, Span span, int operation) {
  /** Stands for no operation. */
  public static final int NONE = -1;
}
