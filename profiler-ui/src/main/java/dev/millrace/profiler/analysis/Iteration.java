package dev.millrace.profiler.analysis;

import dev.millrace.profiler.time.Span;

/**
 * One turn of a caller's loop.
 *
 * @param caller who
 * @param number which turn, as the caller counts
 * @param thread row in the threads: the one that submitted
 * @param range from the begin to the end of the turn on that thread
 */
public record Iteration(String caller, long number, int thread, Span range) {}
