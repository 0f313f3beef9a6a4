package dev.millrace.profiler.compare;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Medians of responses over rounds, with intervals from resampled rounds. Whole rounds are drawn,
 * the same ones of every arm, since arms of one round saw the same clock and neighbours.
 */
final class RoundStatistics {
  /** With fewer rounds an interval would promise more than it holds. */
  static final int ENOUGH_ROUNDS = 20;

  private static final int RESAMPLES = 2000;
  private static final double TAIL = 0.025;

  private final long[][][] responsesNs;
  private final int rounds;
  private final double[][] medians;

  /**
   * Draws the resamples.
   *
   * @param arms all of the same number of rounds
   * @param seed of the drawing, so that it can be repeated
   */
  RoundStatistics(List<Arm> arms, long seed) {
    rounds = arms.getFirst().rounds().size();
    for (Arm arm : arms) {
      if (arm.rounds().size() != rounds) {
        throw new IllegalArgumentException(
            "arms of one comparison have the same rounds: %s has %d, %s has %d"
                .formatted(arms.getFirst().name(), rounds, arm.name(), arm.rounds().size()));
      }
    }
    responsesNs =
        arms.stream()
            .map(arm -> arm.rounds().stream().map(ArmRound::responsesNs).toArray(long[][]::new))
            .toArray(long[][][]::new);
    medians = isEnough() ? resample(new SplittableRandom(seed)) : perRound();
  }

  boolean isEnough() {
    return rounds >= ENOUGH_ROUNDS;
  }

  /** The median response of one arm. */
  Estimate median(int arm) {
    return estimate(row -> row[arm]);
  }

  /** How much longer the median response of one arm is than that of another. */
  Estimate difference(int from, int to) {
    return estimate(row -> row[to] - row[from]);
  }

  private Estimate estimate(ToDoubleFunction<double[]> quantity) {
    int[] each = IntStream.range(0, rounds).toArray();
    double value = quantity.applyAsDouble(medians(each));
    double[] sorted = Arrays.stream(medians).mapToDouble(quantity).sorted().toArray();
    int cut = isEnough() ? (int) Math.floor(TAIL * sorted.length) : 0;
    return new Estimate(value, sorted[cut], sorted[sorted.length - 1 - cut], isEnough());
  }

  private double[][] resample(SplittableRandom random) {
    double[][] drawn = new double[RESAMPLES][];
    for (int i = 0; i < RESAMPLES; i++) {
      drawn[i] = medians(random.ints(rounds, 0, rounds).toArray());
    }
    return drawn;
  }

  private double[][] perRound() {
    return IntStream.range(0, rounds)
        .mapToObj(round -> medians(new int[] {round}))
        .toArray(double[][]::new);
  }

  /** The median of each arm over the turns of these rounds. */
  private double[] medians(int[] chosen) {
    double[] medians = new double[responsesNs.length];
    for (int arm = 0; arm < medians.length; arm++) {
      medians[arm] = median(responsesNs[arm], chosen);
    }
    return medians;
  }

  private static double median(long[][] byRound, int[] chosen) {
    int count = 0;
    for (int round : chosen) {
      count += byRound[round].length;
    }
    long[] pooled = new long[count];
    int filled = 0;
    for (int round : chosen) {
      System.arraycopy(byRound[round], 0, pooled, filled, byRound[round].length);
      filled += byRound[round].length;
    }
    Arrays.sort(pooled);
    int middle = count / 2;
    return count % 2 == 1 ? pooled[middle] : (pooled[middle - 1] + (double) pooled[middle]) / 2;
  }
}
