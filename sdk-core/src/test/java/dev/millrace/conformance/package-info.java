/** What every device must do, as tests that each device's own tests inherit. */
@NullMarked
package dev.millrace.conformance;

import org.jspecify.annotations.NullMarked;
