package dev.millrace.profiler.compare;

import dev.millrace.profiler.analysis.Label;
import dev.millrace.profiler.analysis.Parts;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * One arm in numbers.
 *
 * @param name what people call it
 * @param turns how many turns there were in all rounds
 * @param responseNs the median response
 * @param meanNs the mean of each part; they add up to the mean response
 * @param turnsPerSecond all clients together
 */
public record ArmSummary(
    String name, int turns, Estimate responseNs, Map<Label, Double> meanNs, double turnsPerSecond) {
  public ArmSummary {
    meanNs = Map.copyOf(meanNs);
  }

  static ArmSummary of(Arm arm, Estimate responseNs) {
    List<Parts> turns = arm.rounds().stream().flatMap(it -> it.turns().stream()).toList();
    long wallNs = arm.rounds().stream().mapToLong(ArmRound::wallNs).sum();
    Map<Label, Double> means = new EnumMap<>(Label.class);
    for (Label label : Label.values()) {
      means.put(label, turns.stream().mapToLong(it -> it.ns(label)).average().orElseThrow());
    }
    return new ArmSummary(arm.name(), turns.size(), responseNs, means, turns.size() * 1e9 / wallNs);
  }

  public double meanNs(Label label) {
    return meanNs.getOrDefault(label, 0.0);
  }

  public double meanResponseNs() {
    return meanNs.values().stream().mapToDouble(it -> it).sum();
  }

  public double meanStallNs() {
    return sumWhere(Label::isStall);
  }

  /** The mean of the caller's own work, on any stream. */
  public double meanWorkNs() {
    return sumWhere(Label::isWork);
  }

  private double sumWhere(Predicate<Label> wanted) {
    return meanNs.entrySet().stream()
        .filter(it -> wanted.test(it.getKey()))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }
}
