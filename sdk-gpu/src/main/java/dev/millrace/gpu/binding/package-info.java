/** Participants: the handles of ROCm's libraries, asked and pointed by the libraries themselves. */
@NullMarked
package dev.millrace.gpu.binding;

import org.jspecify.annotations.NullMarked;
