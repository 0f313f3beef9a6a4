/** Whether memory, threads and descriptors stay flat over a hundred thousand uses. */
@NullMarked
package dev.millrace.samples.leaks;

import org.jspecify.annotations.NullMarked;
