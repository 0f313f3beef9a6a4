/** What runs. */
@NullMarked
package dev.millrace.program;

import org.jspecify.annotations.NullMarked;
