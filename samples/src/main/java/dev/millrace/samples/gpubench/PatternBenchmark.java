package dev.millrace.samples.gpubench;

import dev.millrace.gpu.kernel.Kernel;
import dev.millrace.gpu.kernel.KernelArguments;
import dev.millrace.program.Program;
import dev.millrace.samples.bench.Median;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Callers with a stream each, and one program: what the ways to join its runs cost. Before and
 * after each run its caller launches a kernel of its own.
 */
final class PatternBenchmark {
  private static final int KERNELS = 20;
  private static final int RUNS = 100;
  private static final int[] CALLERS = {1, 2, 4, 8};
  private static final int LONG_KERNEL = 5;

  private final Machine machine;
  private final Report report;
  private final Kernel spin;

  PatternBenchmark(Machine machine, Report report) {
    this.machine = machine;
    this.report = report;
    this.spin = machine.module().kernel("spin");
  }

  void run() {
    report.title("patterns: microseconds a run of all callers' runs, median of rounds");
    for (boolean captured : new boolean[] {false, true}) {
      for (int micros : new int[] {0, LONG_KERNEL}) {
        for (int callers : CALLERS) {
          compare(micros, callers, captured);
        }
      }
    }
  }

  private void compare(int micros, int callers, boolean captured) {
    long ticks = Kernels.ticks(micros, machine.device().id().ordinal());
    Kernels.Raw kernel = machine.kernels().spin(ticks);
    Map<Pattern, Callers> all = new EnumMap<>(Pattern.class);
    try (Program one = program(kernel, ticks, captured, 1);
        Program each = program(kernel, ticks, captured, callers)) {
      Rounds rounds = new Rounds();
      for (Pattern pattern : Pattern.values()) {
        Program program = pattern.lanes(callers) == 1 ? one : each;
        Callers threads = new Callers(machine, pattern, program, kernel, callers);
        all.put(pattern, threads);
        rounds.arm(pattern.toString(), () -> threads.micros(RUNS));
        if (!captured) {
          addFloor(rounds, pattern, callers, kernel);
        }
      }
      try {
        rounds.measure(Math.max(1, machine.options().rounds() / 2));
      } finally {
        all.values().forEach(Callers::close);
      }
      tell("kernels of %d µs, callers=%d, %s".formatted(micros, callers, kind(captured)), rounds);
      if (!captured) {
        tellFloor("the same in C", rounds);
      }
      judge(rounds, micros, callers, captured);
    }
  }

  private Program program(Kernels.Raw kernel, long ticks, boolean captured, int lanes) {
    KernelArguments arguments = spin.arguments(ticks);
    return captured
        ? SubmitBenchmark.captured(machine, spin, arguments, KERNELS, lanes)
        : SubmitBenchmark.launches(machine, kernel, KERNELS, lanes);
  }

  private void addFloor(Rounds rounds, Pattern pattern, int callers, Kernels.Raw kernel) {
    int ordinal = machine.device().id().ordinal();
    MemorySegment struct =
        machine.kernels().floorPattern(pattern, callers, KERNELS, ordinal, kernel);
    rounds.arm(floor(pattern), () -> machine.floor().pattern(struct, RUNS));
  }

  private static String floor(Pattern pattern) {
    return "C " + pattern;
  }

  private static String kind(boolean captured) {
    return captured ? "captured" : "launched";
  }

  private void tell(String name, Rounds rounds) {
    Map<String, Median> figures = new LinkedHashMap<>();
    for (Pattern pattern : Pattern.values()) {
      figures.put(pattern.toString(), rounds.of(pattern.toString()));
    }
    report.figures(name, figures, "µs");
  }

  private void tellFloor(String name, Rounds rounds) {
    Map<String, Median> figures = new LinkedHashMap<>();
    for (Pattern pattern : Pattern.values()) {
      figures.put(pattern.toString(), rounds.of(floor(pattern)));
    }
    report.figures(name, figures, "µs");
  }

  /** What the stream gains, what the lanes gain, and both, in which the goal is. */
  private void judge(Rounds rounds, int micros, int callers, boolean captured) {
    if (callers == 1) {
      return;
    }
    Map<String, Median> figures = new LinkedHashMap<>();
    figures.put("lanes alone", rounds.ratio("" + Pattern.FORK_JOIN, "" + Pattern.FORK_JOIN_EACH));
    figures.put(
        "stream alone", rounds.ratio("" + Pattern.FORK_JOIN, "" + Pattern.EXTERNAL_ONE_LANE));
    figures.put(
        "stream with lanes", rounds.ratio("" + Pattern.FORK_JOIN_EACH, "" + Pattern.EXTERNAL));
    if (!captured) {
      figures.put("C both", rounds.ratio(floor(Pattern.FORK_JOIN), floor(Pattern.EXTERNAL)));
    }
    figures.put("both", rounds.ratio("" + Pattern.FORK_JOIN, "" + Pattern.EXTERNAL));
    String name =
        "gain over fork/join on one stream, kernels of %d µs, callers=%d, %s"
            .formatted(micros, callers, kind(captured));
    if (micros == LONG_KERNEL) {
      report.bar(name, figures, "×", Goal.atLeast(callers == 2 ? 1.6 : 2.5));
    } else {
      report.figures(name, figures, "×");
    }
  }
}
