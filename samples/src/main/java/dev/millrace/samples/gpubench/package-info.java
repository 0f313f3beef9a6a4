/** Millrace on a GPU beside a C program that makes the same calls: times, ratios and bytes. */
@NullMarked
package dev.millrace.samples.gpubench;

import org.jspecify.annotations.NullMarked;
