package dev.millrace.profiler.launch;

import java.lang.reflect.InvocationTargetException;

/**
 * Which ONNX Runtime is there. It is asked by reflection: the command line has to start, and to say
 * what is missing, where it is absent.
 *
 * @param isThere whether it can be used
 * @param text its version and execution providers, or what is in the way
 */
record OnnxRuntimeFacts(boolean isThere, String text) {
  private static final String ENTRY_CLASS = "ai.onnxruntime.OrtEnvironment";

  static OnnxRuntimeFacts look() {
    try {
      Class<?> type = Class.forName(ENTRY_CLASS);
      Object environment = type.getMethod("getEnvironment").invoke(null);
      Object version = type.getMethod("getVersion").invoke(environment);
      Object providers = type.getMethod("getAvailableProviders").invoke(null);
      return new OnnxRuntimeFacts(true, version + ", execution providers " + providers);
    } catch (ClassNotFoundException e) {
      return new OnnxRuntimeFacts(false, "absent: add com.microsoft.onnxruntime:onnxruntime");
    } catch (InvocationTargetException e) {
      return new OnnxRuntimeFacts(false, "there, but it does not start: " + e.getCause());
    } catch (ReflectiveOperationException | LinkageError e) {
      return new OnnxRuntimeFacts(false, "there, but it does not start: " + e);
    }
  }
}
