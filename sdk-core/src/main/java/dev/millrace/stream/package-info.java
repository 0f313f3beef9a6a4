/**
 * Where work runs and in which order: devices, their streams and events, and the stream context.
 */
@NullMarked
package dev.millrace.stream;

import org.jspecify.annotations.NullMarked;
