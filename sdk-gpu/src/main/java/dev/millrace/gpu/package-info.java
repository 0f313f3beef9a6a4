/** The door to AMD GPUs: opens devices and adopts streams and memory that the application owns. */
@NullMarked
package dev.millrace.gpu;

import org.jspecify.annotations.NullMarked;
