/** The embedded device on CPU threads, and its ONNX Runtime engine. */
@NullMarked
package dev.millrace.host;

import org.jspecify.annotations.NullMarked;
