/**
 * Compares ways to run the same thing, measured in interleaved rounds, and says what that means.
 */
@NullMarked
package dev.millrace.profiler.compare;

import org.jspecify.annotations.NullMarked;
