package dev.millrace.profiler.importer;

/**
 * What a trace says of itself.
 *
 * @param version of its format
 * @param process the operating system's number of the recorded process
 * @param java the runtime's version
 * @param os name, version and architecture
 * @param baseNs what to add to the trace's times to get those of the recorded process's clock
 */
public record TraceHeader(long version, long process, String java, String os, long baseNs) {}
