/** What Millrace adds to what stands beside it: times, ratios and heap bytes. */
@NullMarked
package dev.millrace.samples.bench;

import org.jspecify.annotations.NullMarked;
