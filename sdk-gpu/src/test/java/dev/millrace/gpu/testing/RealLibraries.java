package dev.millrace.gpu.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** AMD's own libraries, where the tests that are about them run. */
public final class RealLibraries {
  private static final String FOLDER = System.getProperty("millrace.realLibraries", "");

  private RealLibraries() {}

  /** Whether this JVM was started to meet them. */
  static boolean areThere() {
    return !FOLDER.isEmpty() && Files.isDirectory(folder());
  }

  /** Where they are installed. */
  public static Path folder() {
    return Path.of(FOLDER);
  }

  /** Where their headers are installed. */
  public static Path headers() {
    return Path.of(System.getProperty("millrace.realHeaders", "/usr/include"));
  }

  /**
   * The command that runs a class in a JVM of its own, on the class path of this module's tests.
   *
   * @param options for the JVM
   * @param main the class
   * @param arguments for the class
   */
  public static List<String> java(List<String> options, Class<?> main, String... arguments) {
    Path target = Path.of(System.getProperty("basedir"), "target");
    Path core = target.resolve("../../sdk-core/target/classes").normalize();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(options);
    command.add("-cp");
    command.add(target.resolve("classes") + ":" + target.resolve("test-classes") + ":" + core);
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return command;
  }
}
