package dev.millrace.samples.gpubench;

import com.sun.management.ThreadMXBean;
import dev.millrace.program.Arguments;
import dev.millrace.program.Program;
import dev.millrace.samples.bench.Median;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.stream.IntStream;

/** Heap bytes of a submission, by the submitting thread's own counter. */
final class BytesBenchmark {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int SAMPLES = 30;
  private static final int CALLS = 500;
  private static final int IN_FLIGHT = 20;

  private final Machine machine;
  private final Report report;

  BytesBenchmark(Machine machine, Report report) {
    this.machine = machine;
    this.report = report;
  }

  void run() {
    report.title("heap bytes a call: median of samples (lowest to highest)");
    try (Program program = SubmitBenchmark.launches(machine, machine.kernels().empty(), 1, 1);
        Arguments io = program.arguments()) {
      Runnable submit = () -> program.submit(io, machine.stream());
      Runnable runAsync = () -> program.runAsync(io, machine.stream()).close();
      bar("submit, one in flight", submit, 1, Goal.atMost(0));
      bar("submit, up to " + IN_FLIGHT + " in flight", submit, IN_FLIGHT, Goal.atMost(0));
      bar("runAsync, one in flight", runAsync, 1, Goal.atMost(48));
      bar("runAsync, up to " + IN_FLIGHT + " in flight", runAsync, IN_FLIGHT, Goal.atMost(48));
    }
  }

  private void bar(String name, Runnable call, int inFlight, Goal goal) {
    bytes(call, machine.options().warmUp(), inFlight);
    Median seen =
        Median.within(IntStream.range(0, SAMPLES).mapToDouble(_ -> bytes(call, CALLS, inFlight)));
    report.bar(name, Map.of("bytes", seen), "B", goal);
  }

  /** Waiting is not counted. */
  private double bytes(Runnable call, int calls, int inFlight) {
    long bytes = 0;
    for (int i = 0; i < calls; i += inFlight) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int j = 0; j < inFlight; j++) {
        call.run();
      }
      bytes += THREADS.getCurrentThreadAllocatedBytes() - before;
      machine.settle();
    }
    return (double) bytes / calls;
  }
}
