/** Closing things once, and reporting those that nobody closed. */
@NullMarked
package dev.millrace.lifetime;

import org.jspecify.annotations.NullMarked;
