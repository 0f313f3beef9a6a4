/** One trace in memory: columns of numbers that nothing changes once they are built. */
@NullMarked
package dev.millrace.profiler.model;

import org.jspecify.annotations.NullMarked;
