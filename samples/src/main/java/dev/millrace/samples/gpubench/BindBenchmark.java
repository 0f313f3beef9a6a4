package dev.millrace.samples.gpubench;

import dev.millrace.binding.StreamBinding;
import dev.millrace.samples.bench.Median;
import dev.millrace.stream.DeviceStream;
import dev.millrace.stream.StreamContext;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Binding a context with a handle of each library, and restoring them. */
final class BindBenchmark {
  private static final int SAMPLES = 500;

  private final Machine machine;
  private final Report report;

  BindBenchmark(Machine machine, Report report) {
    this.machine = machine;
    this.report = report;
  }

  void run() {
    report.title("bind and restore, three handles: nanoseconds, median of rounds' medians");
    try (DeviceStream home = machine.device().newStream();
        Handles handles = Handles.on(home);
        StreamContext context = machine.device().newContext()) {
      handles.attachTo(context, machine.device());
      Submission to = machine.submission(SAMPLES);
      if (machine.calls().canBeSeen()) {
        tellCalls("java", () -> bindAndRestore(context));
        tellCalls("C", () -> machine.floor().bind(to.withSamples(1), handles));
      }
      for (int i = 0; i < machine.options().warmUp(); i++) {
        bindAndRestore(context);
      }
      Rounds rounds =
          new Rounds()
              .arm("java", () -> nanos(context))
              .arm("C", () -> machine.floor().bind(to, handles))
              .measure(machine.options().rounds());
      Map<String, Median> figures = new LinkedHashMap<>();
      figures.put("java", rounds.of("java"));
      figures.put("C", rounds.of("C"));
      figures.put("ratio", rounds.ratio("java", "C"));
      report.figures("bind + restore", figures, "");
    }
  }

  private void tellCalls(String side, Runnable work) {
    work.run();
    List<String> calls = machine.calls().of(work);
    report.fact(
        "bind + restore, " + side + " calls", calls.size() + ": " + NativeCalls.text(calls));
  }

  private void bindAndRestore(StreamContext context) {
    try (StreamBinding _ = context.bind(machine.stream())) {
      // and back
    }
  }

  private double nanos(StreamContext context) {
    double[] nanos = new double[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
      long start = System.nanoTime();
      bindAndRestore(context);
      nanos[i] = System.nanoTime() - start;
    }
    return Median.of(Arrays.stream(nanos));
  }
}
