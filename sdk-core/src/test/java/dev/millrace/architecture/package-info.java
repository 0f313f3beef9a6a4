/** The rules of the architecture, written as data and tested in each module. */
@NullMarked
package dev.millrace.architecture;

import org.jspecify.annotations.NullMarked;
