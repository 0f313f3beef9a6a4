package dev.millrace.profiler.compare;

import dev.millrace.profiler.analysis.Label;
import dev.millrace.profiler.time.Durations;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** A comparison as a table in plain text, an arm a column. */
public final class ComparisonTable {
  private static final int HEAD = 18;
  private static final int LEAST_WIDTH = 18;

  private final Comparison comparison;
  private final StringBuilder text = new StringBuilder();

  private ComparisonTable(Comparison comparison) {
    this.comparison = comparison;
  }

  /** The table, each line ended. */
  public static String of(Comparison comparison) {
    return new ComparisonTable(comparison).write();
  }

  private String write() {
    row("", ArmSummary::name);
    row("median response", it -> Durations.text(it.responseNs().value()));
    row(comparison.hasIntervals() ? "  95 % interval" : "  range of rounds", this::bounds);
    row("mean response", it -> Durations.text(it.meanResponseNs()));
    for (Label label : Label.values()) {
      row("  " + label, it -> Durations.text(it.meanNs(label)));
    }
    row("stall", it -> Durations.text(it.meanStallNs()));
    row("turns per second", it -> String.format(Locale.ROOT, "%.1f", it.turnsPerSecond()));
    return text.toString();
  }

  private String bounds(ArmSummary arm) {
    Estimate response = arm.responseNs();
    return Durations.text(response.low()) + " – " + Durations.text(response.high());
  }

  private void row(String head, Function<ArmSummary, String> cell) {
    text.append(String.format("%-" + HEAD + "s", head));
    List<ArmSummary> arms = comparison.arms();
    for (ArmSummary arm : arms) {
      text.append(String.format("  %" + width(arm) + "s", cell.apply(arm)));
    }
    text.append(System.lineSeparator());
  }

  private int width(ArmSummary arm) {
    return Math.max(LEAST_WIDTH, Math.max(arm.name().length(), bounds(arm).length()));
  }
}
