/** What tests of several packages share. */
@NullMarked
package dev.millrace.testing;

import org.jspecify.annotations.NullMarked;
