/** Tiny values that name devices, streams and events to other libraries; none of them closes. */
@NullMarked
package dev.millrace.handle;

import org.jspecify.annotations.NullMarked;
