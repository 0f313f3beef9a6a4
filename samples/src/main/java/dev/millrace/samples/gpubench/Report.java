package dev.millrace.samples.gpubench;

import dev.millrace.samples.bench.Median;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What was measured, printed as it comes and written as JSON at the end. */
final class Report {
  private final Map<String, String> facts = new LinkedHashMap<>();
  private final List<Line> lines = new ArrayList<>();

  /** Figures of one thing; the last one may have a goal. */
  private record Line(String name, Map<String, Median> figures, String unit, @Nullable Goal goal) {
    @Nullable String verdict() {
      return goal == null ? null : goal.verdict(last());
    }

    private Median last() {
      return figures.values().stream().reduce((_, next) -> next).orElseThrow();
    }

    /** The interval of the last one; those of all are in the file. */
    String text() {
      StringBuilder text = new StringBuilder(goal == null ? "        " : verdictText());
      text.append(name).append(':');
      figures.forEach(
          (of, seen) -> text.append(' ').append(of).append(' ').append(number(seen.value())));
      text.append(" (").append(number(last().lowest())).append(" to ");
      text.append(number(last().highest())).append(") ").append(unit);
      return goal == null ? text.toString() : text.append("; ").append(goal).toString();
    }

    private String verdictText() {
      return String.format("%-8s", verdict());
    }

    String json() {
      String numbers =
          figures.entrySet().stream()
              .map(figure -> quoted(figure.getKey()) + ":" + jsonNumber(figure.getValue()))
              .collect(Collectors.joining(","));
      return "{\"name\":%s,\"unit\":%s,\"figures\":{%s}%s}"
          .formatted(quoted(name), quoted(unit), numbers, goalJson());
    }

    private String goalJson() {
      return goal == null
          ? ""
          : ",\"goal\":%s,\"verdict\":\"%s\"".formatted(quoted(goal.toString()), verdict());
    }
  }

  /** Three digits, or all that there are before the point. */
  private static String number(double value) {
    int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  private static String jsonNumber(Median seen) {
    return "[%s,%s,%s]".formatted(seen.value(), seen.lowest(), seen.highest());
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  void fact(String name, String value) {
    facts.put(name, value);
    System.out.println(name + ": " + value);
  }

  void title(String text) {
    System.out.println("-- " + text);
  }

  void figures(String name, Map<String, Median> figures, String unit) {
    add(new Line(name, figures, unit, null));
  }

  /** The goal is the last figure's. */
  void bar(String name, Map<String, Median> figures, String unit, Goal goal) {
    add(new Line(name, figures, unit, goal));
  }

  private void add(Line line) {
    lines.add(line);
    System.out.println(line.text());
  }

  long missed() {
    return lines.stream().filter(line -> "MISSES".equals(line.verdict())).count();
  }

  void write(Path file) throws IOException {
    String heads =
        facts.entrySet().stream()
            .map(fact -> quoted(fact.getKey()) + ":" + quoted(fact.getValue()) + ",\n")
            .collect(Collectors.joining());
    String body = lines.stream().map(Line::json).collect(Collectors.joining(",\n"));
    Files.writeString(file, "{" + heads + "\"lines\":[\n" + body + "]}\n");
  }
}
