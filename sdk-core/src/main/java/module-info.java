/**
 * Programs, stream contexts, the binding scope, the embedded {@code host} device and the trace
 * events. It has no native code of its own.
 */
// ONNX Runtime publishes no module descriptor, so its module is automatic. It is optional, and no
// exported type mentions it.
@SuppressWarnings("requires-automatic")
module dev.millrace.core {
  requires static org.jspecify;
  requires static com.microsoft.onnxruntime;
  requires com.fasterxml.jackson.core;
  requires jdk.jfr;
  // Not for us: ONNX Runtime's jar logs through it and says so nowhere, so an image made by jlink
  // would lack it.
  requires java.logging;

// A package is exported once it has a type (javac refuses to export an empty one).
// exports dev.millrace.error;
// exports dev.millrace.handle;
// exports dev.millrace.trace;
// exports dev.millrace.tensor;
// exports dev.millrace.model;
// exports dev.millrace.spi;
// exports dev.millrace.binding;
// exports dev.millrace.stream;
// exports dev.millrace.program;
}
