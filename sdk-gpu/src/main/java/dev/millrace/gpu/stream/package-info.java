/** Owners of HIP streams, events and memory, and the order of their calls. */
@NullMarked
package dev.millrace.gpu.stream;

import org.jspecify.annotations.NullMarked;
