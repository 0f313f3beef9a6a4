package dev.millrace.profiler.compare;

import dev.millrace.profiler.time.Durations;
import java.util.Locale;

/** What a difference means, in sentences that claim no more than the rounds show. */
public final class Verdict {
  /** Below this, work counts as the same. */
  private static final double SAME_WORK = 0.02;

  private Verdict() {}

  /**
   * Whether and how a change pays.
   *
   * @param subject what was changed
   */
  public static String gain(String subject, Difference difference) {
    Estimate change = difference.responseNs();
    return change.includesZero()
        ? String.format(
            "%s: no gain that these rounds can show; the median response changes by %s (%s, which"
                + " includes zero).",
            subject, Durations.signed(change.value()), bounds(change))
        : String.format(
            Locale.ROOT,
            "%s: the median response of %s becomes %s, %.1f %% %s (%s)%s.",
            subject,
            Durations.text(difference.from().responseNs().value()),
            Durations.text(difference.to().responseNs().value()),
            100 * Math.abs(difference.responseShare()),
            change.value() < 0 ? "shorter" : "longer",
            bounds(change),
            mainPart(difference));
  }

  private static String mainPart(Difference difference) {
    Difference.Change main = difference.mainChange();
    // The headline is a median and parts are means: where these disagree, no part explains it.
    return main.meanNs() * difference.responseNs().value() <= 0
        ? ""
        : "; of the means, \""
            + main.part()
            + "\" changes most, by "
            + Durations.signed(main.meanNs());
  }

  /** Whether the work itself took another time, which is to be said before all else. */
  public static boolean isOtherWork(Difference difference) {
    return Math.abs(difference.workShare()) > SAME_WORK;
  }

  /** What is to be said where {@link #isOtherWork}. */
  public static String otherWork(Difference difference) {
    double share = difference.workShare();
    return String.format(
        Locale.ROOT,
        "The work itself was %.1f %% %s in %s than in %s (clock, contention): that is no merit and no"
            + " fault of where it was enqueued.",
        100 * Math.abs(share),
        share > 0 ? "slower" : "faster",
        difference.to().name(),
        difference.from().name());
  }

  /** What is to be said of a comparison with too few rounds. */
  public static String tooFewRounds(Comparison comparison) {
    return String.format(
        Locale.ROOT,
        "Only %d rounds: that is too few for intervals (%d are needed), so the ranges of the"
            + " rounds are given.",
        comparison.rounds(),
        RoundStatistics.ENOUGH_ROUNDS);
  }

  private static String bounds(Estimate estimate) {
    return String.format(
        "%s %s to %s",
        estimate.isInterval() ? "95 % interval" : "range of the rounds",
        Durations.signed(estimate.low()),
        Durations.signed(estimate.high()));
  }
}
