package dev.millrace.profiler.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.profiler.analysis.Label;
import dev.millrace.profiler.analysis.Parts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ComparisonTest {
  private static final long SEED = 20_260_101;
  private static final int ROUNDS = 20;

  @Test
  void meansOfThePartsAddUpToTheMeanResponse() {
    Arm arm = new Arm("a", rounds(ROUNDS, round -> 1_000_003 + 17 * round));
    ArmSummary summary = Comparison.of(List.of(arm), SEED).arms().getFirst();
    double mean =
        arm.rounds().stream()
            .flatMap(it -> it.turns().stream())
            .mapToLong(Parts::totalNs)
            .average()
            .orElseThrow();
    assertThat(summary.meanResponseNs()).isCloseTo(mean, within(1e-6));
    assertThat(summary.meanStallNs() + summary.meanWorkNs()).isCloseTo(mean, within(1e-6));
  }

  @Test
  void headlineIsTheMedianOfAllTurns() {
    Arm arm =
        new Arm(
            "a",
            List.of(
                new ArmRound(List.of(work(10), work(1000)), 1),
                round(work(30)),
                round(work(20)),
                round(work(40))));
    assertThat(Comparison.of(List.of(arm), SEED).arms().getFirst().responseNs().value())
        .isEqualTo(30);
  }

  @Test
  void oneSeedGivesOneInterval() {
    List<Arm> arms = List.of(noisyArm("a", 0, new SplittableRandom(1)));
    Estimate first = Comparison.of(arms, SEED).arms().getFirst().responseNs();
    Estimate again = Comparison.of(arms, SEED).arms().getFirst().responseNs();
    assertThat(again).isEqualTo(first);
    assertThat(first.isInterval()).isTrue();
    assertThat(first.low()).isLessThan(first.value());
    assertThat(first.high()).isGreaterThan(first.value());
  }

  @Test
  void givesOnlyTheRangeOfTooFewRounds() {
    Arm arm = new Arm("a", rounds(ROUNDS - 1, round -> 1000 + round));
    Comparison comparison = Comparison.of(List.of(arm), SEED);
    assertThat(comparison.hasIntervals()).isFalse();
    assertThat(comparison.arms().getFirst().responseNs())
        .isEqualTo(new Estimate(1009, 1000, 1018, false));
    assertThat(Verdict.tooFewRounds(comparison)).startsWith("Only 19 rounds: ");
  }

  @Test
  void refusesArmsThatWereNotInterleaved() {
    List<Arm> arms = List.of(new Arm("a", rounds(3, it -> 1)), new Arm("b", rounds(4, it -> 1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Comparison.of(arms, SEED))
        .withMessageContaining("a has 3, b has 4");
  }

  @Test
  void whatAllArmsOfARoundShareCancelsInTheirDifference() {
    IntToLongFunction drift = round -> 1_000_000 + 50_000L * round;
    Arm slow = new Arm("slow", rounds(ROUNDS, drift));
    Arm fast = new Arm("fast", rounds(ROUNDS, round -> drift.applyAsLong(round) - 1_000));
    Estimate change = Comparison.of(List.of(slow, fast), SEED).difference(0, 1).responseNs();
    assertThat(change).isEqualTo(new Estimate(-1000, -1000, -1000, true));
  }

  /** A round's turns share most of their noise, which resampled turns would take for precision. */
  @Test
  void intervalsOfResampledRoundsHoldTheTruthAlmostAsOftenAsTheySay() {
    SplittableRandom random = new SplittableRandom(SEED);
    int sets = 100;
    long held =
        IntStream.range(0, sets)
            .filter(
                set -> {
                  List<Arm> arms = List.of(noisyArm("a", 0, random), noisyArm("b", 20_000, random));
                  Estimate it = Comparison.of(arms, SEED).difference(0, 1).responseNs();
                  return it.low() <= 20_000 && 20_000 <= it.high();
                })
            .count();
    assertThat(held).isBetween(85L, 100L);
  }

  private static Arm noisyArm(String name, long shiftNs, SplittableRandom random) {
    List<ArmRound> rounds = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      double shared = 1_000_000 + 30_000 * random.nextGaussian() + shiftNs;
      List<Parts> turns = new ArrayList<>();
      for (int turn = 0; turn < 6; turn++) {
        turns.add(work(Math.round(shared + 5_000 * random.nextGaussian())));
      }
      rounds.add(new ArmRound(turns, 1));
    }
    return new Arm(name, rounds);
  }

  private static List<ArmRound> rounds(int count, IntToLongFunction responseNs) {
    return IntStream.range(0, count)
        .mapToObj(round -> round(work(responseNs.applyAsLong(round))))
        .toList();
  }

  private static ArmRound round(Parts turn) {
    return new ArmRound(List.of(turn), 1_000_000);
  }

  private static Parts work(long responseNs) {
    return Parts.of(
        Map.of(Label.WORK_HERE, responseNs - responseNs / 3, Label.HOP, responseNs / 3));
  }
}
