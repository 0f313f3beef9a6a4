package dev.millrace.profiler.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

final class CoverageTest {
  private final Coverage coverage = new Coverage();

  @Test
  void countsEachNanosecondOnce() {
    coverage.add(0, 10);
    coverage.add(2, 5);
    coverage.add(8, 20);
    coverage.add(30, 31);
    assertThat(coverage.coveredNs()).isEqualTo(21);
  }

  @Test
  void refusesSpansOutOfOrder() {
    coverage.add(5, 6);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> coverage.add(4, 9))
        .withMessageContaining("beginNs=4 after 5");
  }
}
