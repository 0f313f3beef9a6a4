/** Time as long nanoseconds: spans, what they cover, and how they are written for people. */
@NullMarked
package dev.millrace.profiler.time;

import org.jspecify.annotations.NullMarked;
