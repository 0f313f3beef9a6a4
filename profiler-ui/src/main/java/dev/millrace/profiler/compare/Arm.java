package dev.millrace.profiler.compare;

import java.util.List;

/**
 * One of the ways that are compared.
 *
 * @param name what people call it
 * @param rounds the {@code i}-th of each arm were measured next to each other
 */
public record Arm(String name, List<ArmRound> rounds) {
  public Arm {
    rounds = List.copyOf(rounds);
    if (rounds.isEmpty()) {
      throw new IllegalArgumentException("an arm without rounds: name=" + name);
    }
  }
}
