package dev.millrace.gpu.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What a command did.
 *
 * @param exit its exit status, 128 and the signal's number where a signal ended it
 * @param out what it printed
 * @param err what it complained about
 */
public record Command(int exit, String out, String err) {
  private static final long PATIENCE_S = 120;

  /** Runs a command until it ends; it is ended if it does not. */
  public static Command run(List<String> command) {
    return run(command, Map.of());
  }

  /** Runs a command with more in its environment. */
  public static Command run(List<String> command, Map<String, String> environment) {
    try {
      Path out = Files.createTempFile("millrace", ".out");
      Path err = Files.createTempFile("millrace", ".err");
      try {
        return new Command(
            exit(command, environment, out, err), Files.readString(out), Files.readString(err));
      } finally {
        Files.delete(out);
        Files.delete(err);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("run " + command, e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("the test was given up", e);
    }
  }

  private static int exit(List<String> command, Map<String, String> environment, Path out, Path err)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("still running after seconds=" + PATIENCE_S + ": " + command);
    }
    return process.exitValue();
  }
}
