package dev.millrace.profiler.compare;

import java.util.ArrayList;
import java.util.List;

/** Arms that were measured in interleaved rounds, in numbers. */
public final class Comparison {
  private final List<ArmSummary> arms = new ArrayList<>();
  private final RoundStatistics statistics;
  private final int rounds;
  private final long seed;

  private Comparison(List<Arm> measured, long seed) {
    this.seed = seed;
    rounds = measured.getFirst().rounds().size();
    statistics = new RoundStatistics(measured, seed);
    for (int i = 0; i < measured.size(); i++) {
      arms.add(ArmSummary.of(measured.get(i), statistics.median(i)));
    }
  }

  /**
   * Compares.
   *
   * @param arms at least one, all with the same number of rounds
   * @param seed of the resampling
   */
  public static Comparison of(List<Arm> arms, long seed) {
    return new Comparison(List.copyOf(arms), seed);
  }

  public List<ArmSummary> arms() {
    return List.copyOf(arms);
  }

  public int rounds() {
    return rounds;
  }

  public long seed() {
    return seed;
  }

  /**
   * Whether there were enough rounds for intervals; else estimates have the range of the rounds.
   */
  public boolean hasIntervals() {
    return statistics.isEnough();
  }

  /** What changes from one arm to another, by their places. */
  public Difference difference(int from, int to) {
    return new Difference(arms.get(from), arms.get(to), statistics.difference(from, to));
  }
}
