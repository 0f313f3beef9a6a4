/**
 * What each queue waited for, and what a caller's response is made of. Reads the model and keeps
 * nothing.
 */
@NullMarked
package dev.millrace.profiler.analysis;

import org.jspecify.annotations.NullMarked;
