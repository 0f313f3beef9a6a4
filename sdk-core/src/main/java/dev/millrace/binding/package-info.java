/** For how long the libraries look at a stream: the binding scope and its participants. */
@NullMarked
package dev.millrace.binding;

import org.jspecify.annotations.NullMarked;
