/** Runnable stories, one file each, and benchmarks. */
@NullMarked
package dev.millrace.samples;

import org.jspecify.annotations.NullMarked;
