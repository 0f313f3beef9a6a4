package dev.millrace.samples.leaks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TrendTest {

  @Test
  void findsASteadyLeak() {
    long[] samples = LongStream.range(0, 40).map(i -> 1_000 + 64 * i).toArray();

    assertThat(Trend.growth(samples)).isCloseTo(64 * 19, within(0.001));
  }

  @Test
  void findsALeakUnderNoise() {
    long[] samples = LongStream.range(0, 40).map(i -> 64 * i + (i * 37) % 50).toArray();

    assertThat(Trend.growth(samples)).isCloseTo(64 * 19, within(64.0));
  }

  @Test
  void forgivesWhatGrowsOnceAtTheStart() {
    long[] samples = LongStream.range(0, 40).map(i -> Math.min(i, 15) * 1_000).toArray();

    assertThat(Trend.growth(samples)).isZero();
  }

  @Test
  void forgivesASampleThatStandsOut() {
    long[] samples = LongStream.range(0, 40).map(i -> i == 38 ? 90_000 : 5_000).toArray();

    assertThat(Trend.growth(samples)).isZero();
  }
}
