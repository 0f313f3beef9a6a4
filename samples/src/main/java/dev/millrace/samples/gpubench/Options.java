package dev.millrace.samples.gpubench;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How to measure.
 *
 * @param floor {@code libbenchfloor.so}
 * @param json where to write the figures, if anywhere
 * @param rounds of each comparison
 * @param warmUp calls before times are taken and bytes are counted
 * @param parts which of {@code submit}, {@code bind}, {@code bytes}, {@code patterns}
 */
record Options(Path floor, @Nullable Path json, int rounds, int warmUp, Set<String> parts) {
  private static final Set<String> ALL = Set.of("submit", "bind", "bytes", "patterns");

  static Options parse(String[] args) {
    Options options = new Options(Path.of("libbenchfloor.so"), null, 15, 20_000, ALL);
    for (int i = 0; i + 1 < args.length; i += 2) {
      options = options.with(args[i], args[i + 1]);
    }
    if (args.length % 2 == 1) {
      throw new IllegalArgumentException(args[args.length - 1] + ": expected a value");
    }
    return options;
  }

  private Options with(String name, String value) {
    return switch (name) {
      case "--floor" -> new Options(Path.of(value), json, rounds, warmUp, parts);
      case "--json" -> new Options(floor, Path.of(value), rounds, warmUp, parts);
      case "--rounds" -> new Options(floor, json, Integer.parseInt(value), warmUp, parts);
      case "--warm-up" -> new Options(floor, json, rounds, Integer.parseInt(value), parts);
      case "--parts" -> new Options(floor, json, rounds, warmUp, Set.of(value.split(",", -1)));
      default ->
          throw new IllegalArgumentException(
              name + ": expected --floor, --json, --rounds, --warm-up or --parts");
    };
  }

  /** The folder of ROCm's libraries, or of stand-ins for them; both sides take the same. */
  String rocm() {
    return Objects.requireNonNull(
        System.getProperty("millrace.rocm"), "-Dmillrace.rocm=FOLDER is missing");
  }
}
