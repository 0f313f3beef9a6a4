/** Reads trace files into the model. What is wrong with a file is counted, not thrown. */
@NullMarked
package dev.millrace.profiler.importer;

import org.jspecify.annotations.NullMarked;
