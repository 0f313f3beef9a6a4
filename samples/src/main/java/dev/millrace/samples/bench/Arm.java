package dev.millrace.samples.bench;

import dev.millrace.samples.models.MeasuredModel;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** One thing that is measured, in a JVM of its own each time. */
record Arm(Class<?> benchmark, String method, @Nullable MeasuredModel model) {
  private static final TimeValue ITERATION = TimeValue.seconds(1);
  private static final int WARM_UP = 4;
  private static final int ITERATIONS = 5;

  /** What one JVM gave: medians of its iterations. */
  record Fork(double nanoseconds, double bytes) {}

  Fork measure() throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(benchmark.getName() + "." + method) + "$")
            .mode(Mode.AverageTime)
            .timeUnit(TimeUnit.NANOSECONDS)
            .forks(1)
            .warmupIterations(WARM_UP)
            .warmupTime(ITERATION)
            .measurementIterations(ITERATIONS)
            .measurementTime(ITERATION)
            .addProfiler(GCProfiler.class)
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true)
            .jvmArgs("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");
    if (model != null) {
      options.param("model", model.name());
    }
    return medians(new Runner(options.build()).runSingle());
  }

  private static Fork medians(RunResult result) {
    Collection<IterationResult> iterations =
        result.getBenchmarkResults().iterator().next().getIterationResults();
    return new Fork(
        Median.of(iterations.stream().mapToDouble(one -> one.getPrimaryResult().getScore())),
        Median.of(iterations.stream().mapToDouble(Arm::bytes)));
  }

  private static double bytes(IterationResult iteration) {
    Result<?> bytes = iteration.getSecondaryResults().get("gc.alloc.rate.norm");
    return Objects.requireNonNull(bytes, "JMH's gc profiler gave no bytes").getScore();
  }

  @Override
  public String toString() {
    String of = model == null ? "" : ", " + model.name().toLowerCase(Locale.ROOT);
    return benchmark.getSimpleName().replace("Benchmark", "") + "." + method + of;
  }
}
