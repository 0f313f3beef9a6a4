/** What a device or an engine provides; both are found by {@link java.util.ServiceLoader}. */
@NullMarked
package dev.millrace.spi;

import org.jspecify.annotations.NullMarked;
