/** What a device or an engine provides; found by {@code ServiceLoader}. */
@NullMarked
package dev.millrace.spi;

import org.jspecify.annotations.NullMarked;
