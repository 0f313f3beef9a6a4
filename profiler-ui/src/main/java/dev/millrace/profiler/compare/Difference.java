package dev.millrace.profiler.compare;

import dev.millrace.profiler.analysis.Label;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * What changes from one arm to another.
 *
 * @param from the arm that is compared with
 * @param to the arm that is compared
 * @param responseNs how much longer the median response of {@code to} is
 */
public record Difference(ArmSummary from, ArmSummary to, Estimate responseNs) {

  /** By which share of {@code from}'s median response it is longer. */
  public double responseShare() {
    return responseNs.value() / from.responseNs().value();
  }

  /**
   * By which share the caller's own work took longer. It does the same, so this is not its doing.
   */
  public double workShare() {
    return to.meanWorkNs() / from.meanWorkNs() - 1;
  }

  /** The part whose mean changed most in the direction in which the median response changed. */
  public Change mainChange() {
    double sign = Math.signum(responseNs.value());
    return changes().max(Comparator.comparingDouble(it -> sign * it.meanNs())).orElseThrow();
  }

  /** Where work runs is not what it costs: here and elsewhere are one part. */
  private Stream<Change> changes() {
    Change work = new Change("work", to.meanWorkNs() - from.meanWorkNs());
    return Stream.concat(
        Stream.of(work),
        Stream.of(Label.values())
            .filter(label -> !label.isWork())
            .map(label -> new Change(label.toString(), to.meanNs(label) - from.meanNs(label))));
  }

  /**
   * How the mean of a part changed.
   *
   * @param part the part's name
   * @param meanNs how much longer it became
   */
  public record Change(String part, double meanNs) {}
}
