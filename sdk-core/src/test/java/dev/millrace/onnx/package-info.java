/** The ONNX project's own test data, read and compared by that project's rules. */
@NullMarked
package dev.millrace.onnx;

import org.jspecify.annotations.NullMarked;
