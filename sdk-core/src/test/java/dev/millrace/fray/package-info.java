/**
 * That the schedule explorer explores: without it the concurrency tests of the other packages would
 * pass whatever they test.
 */
@NullMarked
package dev.millrace.fray;

import org.jspecify.annotations.NullMarked;
