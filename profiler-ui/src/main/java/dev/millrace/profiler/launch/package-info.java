/**
 * The command line, and the only part of the profiler that knows the SDK's API: its commands run
 * programs.
 */
@NullMarked
package dev.millrace.profiler.launch;

import org.jspecify.annotations.NullMarked;
