/**
 * The three unchecked exceptions of a device, a missing library and a model that cannot be used.
 */
@NullMarked
package dev.millrace.error;

import org.jspecify.annotations.NullMarked;
