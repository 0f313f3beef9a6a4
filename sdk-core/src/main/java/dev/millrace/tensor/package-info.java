/** Typed n-dimensional memory of a device. */
@NullMarked
package dev.millrace.tensor;

import org.jspecify.annotations.NullMarked;
