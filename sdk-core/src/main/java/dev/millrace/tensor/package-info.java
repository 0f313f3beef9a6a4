/** Typed n-dimensional memory of a device or of the host. */
@NullMarked
package dev.millrace.tensor;

import org.jspecify.annotations.NullMarked;
