/** What happened, event by event, and the file it is written to. */
@NullMarked
package dev.millrace.trace;

import org.jspecify.annotations.NullMarked;
