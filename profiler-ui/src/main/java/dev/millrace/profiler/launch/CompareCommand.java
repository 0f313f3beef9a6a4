package dev.millrace.profiler.launch;

import dev.millrace.tensor.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace compare}: what the caller's stream gains, and what lanes gain. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Runs a model in fork/join, on the caller's stream with one lane, and on the caller's stream"
          + " with a lane per client, in turn, and says what the differences are made of.",
      "Each client loops over pre-processing, the model and post-processing on a stream of its own."
    })
final class CompareCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "MODEL.onnx",
      description = "An ONNX model; without one, PP-OCRv4's text recogniser.")
  private @Nullable Path model;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "2",
      description = "Clients that loop at the same time (default: ${DEFAULT-VALUE}).")
  private int clients;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "5",
      description = "Turns of each client in a round (default: ${DEFAULT-VALUE}).")
  private int iterations;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "24",
      description =
          "How often each arm is measured (default: ${DEFAULT-VALUE}; intervals need 20).")
  private int rounds;

  @Option(
      names = "--shape",
      paramLabel = "INPUT=1,3,48,320",
      description = "The shape of an input whose dimensions the model leaves open.")
  private Map<String, String> shapes = new HashMap<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where the traces and summary.json go; an existing folder is written into (default: a new"
              + " temporary folder).")
  private @Nullable Path out;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of inputs and resampling (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(names = "--quiet", description = "No progress.")
  private boolean quiet;

  @Override
  public Integer call() throws Exception {
    CompareSettings settings =
        new CompareSettings(clients, iterations, rounds, parsed(shapes), seed);
    // The model first: a command line that names none leaves no folder behind.
    ModelFile given = model == null ? null : ModelFile.given(model);
    Path folder = folder();
    CommandLine command = Objects.requireNonNull(spec, "spec").commandLine();
    Progress progress = quiet ? Progress.none() : Progress.on(command.getErr());
    ModelFile file = given == null ? ModelFile.builtIn(folder) : given;
    CompareResult result = CompareRun.run(file, settings, folder, progress);
    new CompareReport(result, folder).write(command.getOut());
    return 0;
  }

  private Path folder() {
    try {
      return out == null
          ? Files.createTempDirectory("millrace-compare-")
          : writable(Files.createDirectories(out));
    } catch (IOException e) {
      String asked = out == null ? "a new temporary folder" : "--out=" + out;
      throw new MisuseException(asked + " cannot be made a folder to write to: " + e);
    }
  }

  private static Path writable(Path folder) throws IOException {
    Files.delete(Files.createTempFile(folder, "millrace", null));
    return folder;
  }

  private static Map<String, Shape> parsed(Map<String, String> texts) {
    Map<String, Shape> parsed = new HashMap<>();
    texts.forEach((input, text) -> parsed.put(input, parse(input, text)));
    return parsed;
  }

  private static Shape parse(String input, String text) {
    try {
      long[] dims = Arrays.stream(text.split(",", -1)).mapToLong(Long::parseLong).toArray();
      if (Arrays.stream(dims).anyMatch(it -> it < 1)) {
        throw new NumberFormatException("a dimension below 1");
      }
      return Shape.of(dims);
    } catch (NumberFormatException e) {
      throw new MisuseException(
          "--shape " + input + "=" + text + ": expected numbers from 1, as in x=1,3,48,320");
    }
  }
}
