/**
 * Tiny values that name a stream, an event or a device to other libraries; none of them closes
 * anything.
 */
@NullMarked
package dev.millrace.handle;

import org.jspecify.annotations.NullMarked;
