/** One static method for each C function; its status is checked here and nowhere else. */
@NullMarked
package dev.millrace.gpu.ffi;

import org.jspecify.annotations.NullMarked;
