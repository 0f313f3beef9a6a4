/** The embedded device: streams on CPU threads, programs on ONNX Runtime. */
@NullMarked
package dev.millrace.host;

import org.jspecify.annotations.NullMarked;
