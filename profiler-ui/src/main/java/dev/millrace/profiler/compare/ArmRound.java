package dev.millrace.profiler.compare;

import dev.millrace.profiler.analysis.Parts;
import java.util.List;

/**
 * One round of one arm. Its turns follow each other closely and are alike for reasons that have
 * nothing to do with the arm; only rounds are taken as independent.
 *
 * @param turns what the response of each turn was made of; at least one
 * @param wallNs how long the round took, all clients together
 */
public record ArmRound(List<Parts> turns, long wallNs) {
  public ArmRound {
    turns = List.copyOf(turns);
    if (turns.isEmpty() || wallNs <= 0) {
      throw new IllegalArgumentException(
          "a round without a turn or without a length: turns="
              + turns.size()
              + " wallNs="
              + wallNs);
    }
  }

  long[] responsesNs() {
    return turns.stream().mapToLong(Parts::totalNs).toArray();
  }
}
