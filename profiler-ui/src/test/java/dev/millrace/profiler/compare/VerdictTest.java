package dev.millrace.profiler.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.profiler.analysis.Label;
import dev.millrace.profiler.analysis.Parts;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class VerdictTest {
  private static final Parts SLOW =
      Parts.of(Map.of(Label.WORK_HERE, 20_000_000L, Label.OTHERS, 20_000_000L));
  private static final Parts FAST =
      Parts.of(Map.of(Label.WORK_HERE, 20_000_000L, Label.OTHERS, 4_000_000L));
  private static final Parts FAST_WITH_SLOWER_WORK =
      Parts.of(Map.of(Label.WORK_ELSEWHERE, 24_000_000L));

  @Test
  void saysHowMuchAndWhere() {
    assertThat(Verdict.gain("A lane a client", difference(SLOW, FAST, FAST)))
        .isEqualTo(
            "A lane a client: the median response of 40.0 ms becomes 24.0 ms, 40.0 % shorter"
                + " (95 % interval -16.0 ms to -16.0 ms); of the means, \"others\" changes most,"
                + " by -16.0 ms.");
  }

  @Test
  void saysThatAGainIsALoss() {
    assertThat(Verdict.gain("One lane", difference(FAST, SLOW, SLOW)))
        .contains("the median response of 24.0 ms becomes 40.0 ms, 66.7 % longer");
  }

  @Test
  void claimsNothingWhenTheIntervalIncludesZero() {
    assertThat(Verdict.gain("The stream", difference(SLOW, FAST, SLOW)))
        .startsWith(
            "The stream: no gain that these rounds can show; the median response changes by ")
        .contains("which includes zero");
  }

  @Test
  void takesWorkThatMovedToAnotherStreamForTheSameWork() {
    Parts elsewhere = Parts.of(Map.of(Label.WORK_ELSEWHERE, 20_000_000L, Label.HOP, 3_000_000L));
    Parts here = Parts.of(Map.of(Label.WORK_HERE, 20_000_000L));
    Difference difference = difference(elsewhere, here, here);
    assertThat(difference.mainChange()).isEqualTo(new Difference.Change("hop", -3_000_000));
    assertThat(Verdict.isOtherWork(difference)).isFalse();
  }

  @Test
  void namesNoPartWhereMeansAndMediansDisagree() {
    Parts short10 = Parts.of(Map.of(Label.WORK_HERE, 10_000_000L));
    Parts short9 = Parts.of(Map.of(Label.WORK_HERE, 9_000_000L));
    Parts outlier = Parts.of(Map.of(Label.WORK_HERE, 90_000_000L));
    List<Arm> arms =
        List.of(
            new Arm("from", rounds(it -> List.of(short10))),
            new Arm("to", rounds(it -> List.of(short9, short9, outlier))));
    assertThat(Verdict.gain("It", Comparison.of(arms, 1).difference(0, 1)))
        .contains("10.0 % shorter")
        .doesNotContain("of the means");
  }

  @Test
  void saysThatTheWorkItselfWasSlower() {
    Difference difference = difference(SLOW, FAST_WITH_SLOWER_WORK, FAST_WITH_SLOWER_WORK);
    assertThat(Verdict.isOtherWork(difference)).isTrue();
    assertThat(Verdict.otherWork(difference))
        .startsWith("The work itself was 20.0 % slower in to than in from (clock, contention)");
    assertThat(Verdict.isOtherWork(difference(SLOW, FAST, FAST))).isFalse();
  }

  /** Each arm in twenty rounds; the candidate is {@code even} in half of them, else {@code odd}. */
  private static Difference difference(Parts from, Parts even, Parts odd) {
    List<Arm> arms =
        List.of(
            new Arm("from", rounds(it -> List.of(from))),
            new Arm("to", rounds(it -> List.of(it % 2 == 0 ? even : odd))));
    return Comparison.of(arms, 1).difference(0, 1);
  }

  private static List<ArmRound> rounds(IntFunction<List<Parts>> turns) {
    return IntStream.range(0, 20).mapToObj(it -> new ArmRound(turns.apply(it), 1)).toList();
  }
}
