package dev.millrace.profiler.launch;

import java.util.List;
import java.util.Optional;

/**
 * A system property or environment variable that changes what Millrace does.
 *
 * @param kind which of the two
 * @param fallback what holds where it is not set
 * @param meaning what it does, in a few words
 */
record Setting(Kind kind, String name, String fallback, String meaning) {

  /** Where a setting comes from. */
  enum Kind {
    PROPERTY,
    ENVIRONMENT
  }

  /** All of them. Whoever reads one adds its line. */
  static final List<Setting> ALL =
      List.of(
          property("millrace.trace", "off", "file to record into, from the first opened device on"),
          property(
              "millrace.trace.buffer", "262144", "events that fit between application and file"),
          property("millrace.stall", "off", "warns of streams that stand still so long, as in 5s"),
          property("millrace.leaks", "count", "site: also say where what leaked was made"),
          property("millrace.host.memory", "all there is", "limit of the host device, as in 2g"),
          property("millrace.rocm", "searched for", "the one folder that holds ROCm's libraries"),
          property(
              "millrace.lastWords",
              "off",
              "file that names the runs in flight if the process ends"),
          property(
              "millrace.streamOrderedMemory",
              "false",
              "true: GPU memory comes from the runtime's pool, where a self-test agrees"),
          property(
              "millrace.kernelCache",
              "~/.cache/millrace/kernels",
              "folder of compiled kernels, or off"),
          property(
              "millrace.debug", "false", "true: the command line shows where a failure happened"),
          property("millrace.seed", "random", "seed of the property tests, to repeat one"),
          property("onnxruntime.native.path", "none", "folder that holds ONNX Runtime's libraries"),
          property("java.io.tmpdir", "the system's", "where ONNX Runtime unpacks its libraries"),
          environment(
              "ORT_DISABLE_TELEMETRY",
              "1 in ./millrace",
              "set: ONNX Runtime keeps no events to send"),
          environment("MILLRACE_JDK", "searched for", "JDK that the scripts use"),
          environment("JAVA_HOME", "none", "JDK that the scripts look at next"),
          environment("ROCM_PATH", "none", "where GPU libraries are looked for first"),
          environment("HIP_PATH", "none", "where GPU libraries are looked for next"),
          environment("LD_LIBRARY_PATH", "none", "where the system's loader looks"));

  private static Setting property(String name, String fallback, String meaning) {
    return new Setting(Kind.PROPERTY, name, fallback, meaning);
  }

  private static Setting environment(String name, String fallback, String meaning) {
    return new Setting(Kind.ENVIRONMENT, name, fallback, meaning);
  }

  /** What it is set to. */
  Optional<String> value() {
    return Optional.ofNullable(
        kind == Kind.PROPERTY ? System.getProperty(name) : System.getenv(name));
  }

  /** How it is set. */
  String form() {
    return kind == Kind.PROPERTY ? "-D" + name : name;
  }
}
