package dev.millrace.gpu.kernel;

import dev.millrace.error.ModelException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The first error in a compiler's log. Clang and GCC write {@code file:line:column: error: text},
 * NVRTC {@code file(line): error: text}.
 */
final class CompileError {
  private static final Pattern ERROR =
      Pattern.compile(
          "^(?<file>[^\\s:(][^:(]*)(?::(?<line>\\d+)(?::\\d+)?|\\((?<nv>\\d+)\\)): "
              + "(?:fatal |catastrophic )?error\\b.*$",
          Pattern.MULTILINE);

  private CompileError() {}

  /**
   * The exception for a source that the compiler refused. To the compiler the source is what a
   * model is to an engine, so that the exception is that of models.
   */
  static ModelException of(KernelSource source, String status, String log) {
    Matcher error = ERROR.matcher(log);
    String reason =
        error.find()
            ? error.group().strip() + quoted(source, error)
            : status + ": " + firstLine(log);
    return new ModelException(source.name(), reason, new CompilerLog(log));
  }

  private static String quoted(KernelSource source, Matcher error) {
    String number = error.group("line") == null ? error.group("nv") : error.group("line");
    String line = line(textOf(source, error.group("file").strip()), number);
    return line == null ? "" : "\n  " + number + " | " + line.strip();
  }

  /** The compiler may have put a folder of its own before the name. */
  private static @Nullable String textOf(KernelSource source, String file) {
    for (var header : source.headers().entrySet()) {
      if (isFile(file, header.getKey())) {
        return header.getValue();
      }
    }
    return isFile(file, source.name()) ? source.text() : null;
  }

  private static boolean isFile(String file, String name) {
    return file.equals(name) || file.endsWith("/" + name);
  }

  private static @Nullable String line(@Nullable String text, String number) {
    if (text == null || number.length() > 9) {
      return null;
    }
    List<String> lines = text.lines().toList();
    int index = Integer.parseInt(number) - 1;
    return index >= 0 && index < lines.size() ? lines.get(index) : null;
  }

  private static String firstLine(String log) {
    return log.lines().filter(line -> !line.isBlank()).findFirst().orElse("the log is empty");
  }
}
