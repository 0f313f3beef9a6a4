package dev.millrace.profiler.launch;

import java.util.LinkedHashMap;
import java.util.Map;

/** What numbers depend on that were measured here. */
final class Environment {
  private Environment() {}

  /** Names and values, in the order in which they are shown. */
  static Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("millrace", Version.number());
    facts.put(
        "java",
        System.getProperty("java.vm.name")
            + " "
            + Runtime.version()
            + ", "
            + System.getProperty("java.vendor"));
    facts.put(
        "os",
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"));
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("onnxRuntime", OnnxRuntimeFacts.look().text());
    return facts;
  }
}
