package dev.millrace.gpu.ffi;

import dev.millrace.gpu.Gpu;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Says what a JVM without anything else in it finds: one line for each question. The libraries are
 * loaded in the order in which they are asked about.
 */
final class LoadingProbe {
  private LoadingProbe() {}

  /**
   * Asks.
   *
   * @param questions {@code hip}, {@code hiprtc}, {@code rocblas}, {@code miopen}, {@code hipblas},
   *     {@code gpus} or {@code files}
   */
  public static void main(String[] questions) {
    for (String question : questions) {
      System.out.println(question + "=" + answer(question));
    }
  }

  private static Object answer(String question) {
    return switch (question) {
      case "hip" -> Hip.runtimeVersion();
      case "hiprtc" -> Hiprtc.version()[0] + "." + Hiprtc.version()[1];
      case "rocblas" -> Rocblas.version();
      case "miopen" -> Miopen.version();
      case "hipblas" -> Hipblas.missing().map(Throwable::getMessage).orElse("there");
      case "gpus" -> Gpu.list() + " " + Gpu.whyAbsent().orElse("");
      case "files" -> files();
      default -> throw new IllegalArgumentException(question);
    };
  }

  /** All files of our libraries that are mapped: two copies of one would not know of each other. */
  private static List<String> files() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines
          .filter(line -> line.matches(".*/lib(amdhip64|hiprtc|rocblas|MIOpen|hipblas)\\.so.*"))
          .map(line -> line.substring(line.indexOf('/')))
          .distinct()
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
