/** What runs: programs, their arguments and their runs. */
@NullMarked
package dev.millrace.program;

import org.jspecify.annotations.NullMarked;
