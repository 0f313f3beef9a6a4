/**
 * Programs, stream contexts, the binding scope, the embedded {@code host} device and the trace
 * events. It has no native code of its own.
 */
// dev.millrace.gpu is built after this module, which javac cannot know.
// ONNX Runtime publishes no module descriptor, so its module is automatic. It is optional, and no
// exported type mentions it.
@SuppressWarnings({"requires-automatic", "module"})
module dev.millrace.core {
  requires static transitive org.jspecify;
  requires static com.microsoft.onnxruntime;
  requires com.fasterxml.jackson.core;
  requires jdk.jfr;
  // How much memory there is, so that a host tensor too big for it is refused and not killed.
  requires jdk.management;
  // Not for us: ONNX Runtime's jar logs through it and says so nowhere, so an image made by jlink
  // would lack it.
  requires java.logging;

  exports dev.millrace.error;
  exports dev.millrace.handle;
  exports dev.millrace.trace;
  exports dev.millrace.tensor;
  exports dev.millrace.model;
  exports dev.millrace.spi;
  exports dev.millrace.binding;
  exports dev.millrace.stream;
  exports dev.millrace.program;
  exports dev.millrace.lifetime to
      dev.millrace.gpu;

  uses dev.millrace.spi.DeviceProvider;
  uses dev.millrace.spi.Engine;

  provides dev.millrace.spi.DeviceProvider with
      dev.millrace.host.HostProvider;
  provides dev.millrace.spi.Engine with
      dev.millrace.host.OnnxRuntimeEngine;
}
