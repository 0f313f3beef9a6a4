/** For how long participants look at a stream. */
@NullMarked
package dev.millrace.binding;

import org.jspecify.annotations.NullMarked;
