/** Where work runs, and in which order. */
@NullMarked
package dev.millrace.stream;

import org.jspecify.annotations.NullMarked;
