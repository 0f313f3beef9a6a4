package dev.millrace.trace;

/** A line of a viewer: a thread of a process, or a stream of a device. */
record Track(long pid, long tid) {}
