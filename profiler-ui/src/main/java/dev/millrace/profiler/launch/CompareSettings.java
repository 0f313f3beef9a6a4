package dev.millrace.profiler.launch;

import dev.millrace.tensor.Shape;
import java.util.Map;

/**
 * What a comparison is to measure.
 *
 * @param clients how many loop at the same time, each on a stream of its own
 * @param iterations how many turns each client makes in a round
 * @param rounds how many times each arm is measured
 * @param shapes of inputs that the model leaves open
 * @param seed of the inputs and of the resampling
 */
record CompareSettings(
    int clients, int iterations, int rounds, Map<String, Shape> shapes, long seed) {
  private static final int MOST_CLIENTS = 256;
  private static final int MOST_TURNS = 1_000_000;

  CompareSettings {
    shapes = Map.copyOf(shapes);
    check("--clients", clients, MOST_CLIENTS);
    check("--iterations", iterations, MOST_TURNS);
    check("--rounds", rounds, MOST_TURNS);
  }

  private static void check(String option, int value, int most) {
    if (value < 1 || value > most) {
      throw new MisuseException("%s=%d: expected 1 to %d".formatted(option, value, most));
    }
  }
}
