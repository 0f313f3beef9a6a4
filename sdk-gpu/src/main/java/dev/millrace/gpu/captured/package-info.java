/**
 * Programs captured from the application's own launches, replayed on any stream of the device.
 *
 * <p>Experimental: names and signatures may change in any release.
 */
@NullMarked
package dev.millrace.gpu.captured;

import org.jspecify.annotations.NullMarked;
