package dev.millrace.profiler.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.profiler.model.TraceModel;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

final class ResponsePartitionTest {
  private static final int TRACES = 150;

  /** Replay one with {@code -Dmillrace.seed=N}. */
  private static final long SEED = Long.getLong("millrace.seed", new SplittableRandom().nextLong());

  @Test
  void partsOfRandomProgramsSumToTheResponse() {
    assertThat(checkAll(RandomTraces::program)).isGreaterThan(TRACES * 10L);
  }

  @Test
  void partsOfTracesThatMakeNoSenseSumToTheResponseToo() {
    assertThat(checkAll(RandomTraces::nonsense)).isGreaterThan(TRACES);
  }

  @Test
  void completeTracesLeaveNothingUnknown() {
    SplittableRandom seeds = new SplittableRandom(SEED);
    for (int i = 0; i < TRACES; i++) {
      long seed = seeds.nextLong();
      for (IterationReport report : TraceAnalysis.of(RandomTraces.program(seed)).iterations()) {
        assertThat(report.parts().ns(Label.UNKNOWN)).as("seed=%d %s", seed, report).isZero();
      }
    }
  }

  private static long checkAll(LongFunction<TraceModel> traces) {
    SplittableRandom seeds = new SplittableRandom(SEED);
    long iterations = 0;
    for (int i = 0; i < TRACES; i++) {
      long seed = seeds.nextLong();
      List<IterationReport> reports = TraceAnalysis.of(traces.apply(seed)).iterations();
      reports.forEach(report -> check(report, seed));
      iterations += reports.size();
    }
    return iterations;
  }

  private static void check(IterationReport report, long seed) {
    String what = "millrace.seed=%d seed=%d %s".formatted(SEED, seed, report.iteration());
    long atNs = report.response().beginNs();
    for (PathSegment segment : report.path()) {
      assertThat(segment.span().beginNs()).as(what).isEqualTo(atNs);
      atNs = segment.span().endNs();
    }
    assertThat(atNs).as(what).isEqualTo(report.response().endNs());
    assertThat(report.parts().totalNs()).as(what).isEqualTo(report.responseNs());
    assertThat(report.exposedNs()).as(what).isNotNegative();
    assertThat(report.spanNs()).as(what).isLessThanOrEqualTo(report.responseNs());
  }
}
