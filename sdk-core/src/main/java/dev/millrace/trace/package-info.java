/** What happened, event by event, and the file that says so. */
@NullMarked
package dev.millrace.trace;

import org.jspecify.annotations.NullMarked;
