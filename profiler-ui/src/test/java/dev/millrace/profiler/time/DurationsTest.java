package dev.millrace.profiler.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DurationsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 ns",
    "7, 7.00 ns",
    "412, 412 ns",
    "999, 999 ns",
    "999.6, 1.00 µs",
    "3512, 3.51 µs",
    "41234567, 41.2 ms",
    "-41234567, -41.2 ms",
    "99960, 100 µs",
    "1230000000, 1.23 s",
    "5230000000000, 5230 s"
  })
  void writesThreeDigitsInTheLargestUnit(double ns, String text) {
    assertThat(Durations.text(ns)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"1500, +1.50 µs", "-1500, -1.50 µs", "0, +0 ns"})
  void writesDifferencesWithTheirSign(double ns, String text) {
    assertThat(Durations.signed(ns)).isEqualTo(text);
  }
}
