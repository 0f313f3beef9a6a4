package dev.millrace.samples.bench;

import java.util.Locale;
import java.util.function.ToDoubleBiFunction;

/**
 * What must hold of two arms that are measured in turns. The figure is made of the two neighbours
 * of each round, so that what disturbs a whole round disturbs both.
 *
 * @param claim what is claimed
 * @param ours Millrace's arm
 * @param beside what it is compared with
 * @param figure made of a fork of each
 * @param unit the figure's
 * @param most what it may be
 */
record Bar(
    String claim,
    Arm ours,
    Arm beside,
    ToDoubleBiFunction<Arm.Fork, Arm.Fork> figure,
    String unit,
    double most) {

  static Bar added(String claim, Arm ours, Arm beside, double mostMicroseconds) {
    return new Bar(
        claim,
        ours,
        beside,
        (a, b) -> (a.nanoseconds() - b.nanoseconds()) / 1_000,
        "µs",
        mostMicroseconds);
  }

  static Bar ratio(String claim, Arm ours, Arm beside, double most) {
    return new Bar(claim, ours, beside, (a, b) -> a.nanoseconds() / b.nanoseconds(), "×", most);
  }

  String verdict(Median seen) {
    return String.format(
        Locale.ROOT,
        "%-8s %s: %.3f %s (%.3f to %.3f), at most %s %s",
        seen.value() <= most ? "holds" : "MISSED",
        claim,
        seen.value(),
        unit,
        seen.lowest(),
        seen.highest(),
        most,
        unit);
  }
}
