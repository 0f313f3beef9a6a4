package dev.millrace.spi;

/**
 * What a stream is doing at this moment.
 *
 * @param stream the id under which the trace knows it
 * @param state one sentence, for example what it waits for
 * @param sinceNs the {@link System#nanoTime()} since which this has been so
 * @param queued how many things are queued behind
 */
public record StreamState(long stream, String state, long sinceNs, int queued) {}
