package dev.millrace.samples.gpubench;

import dev.millrace.gpu.captured.CaptureSpec;
import dev.millrace.gpu.captured.CapturedProgram;
import dev.millrace.gpu.ffi.HipGraphs;
import dev.millrace.gpu.kernel.Kernel;
import dev.millrace.gpu.kernel.KernelArguments;
import dev.millrace.gpu.kernel.Launch;
import dev.millrace.model.CompileOptions;
import dev.millrace.program.Arguments;
import dev.millrace.program.Program;
import dev.millrace.samples.bench.Median;
import dev.millrace.stream.StreamContext;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** What it costs to submit, beside the C side. */
final class SubmitBenchmark {
  private static final String JAVA = "java";
  private static final String FLOOR = "C";
  private static final int LAUNCHES_IN_FLIGHT = 500; // fewer than a GPU's queue holds
  private static final int RUNS_IN_FLIGHT = 20;
  private static final int MANY = 100;

  private final Machine machine;
  private final Report report;

  SubmitBenchmark(Machine machine, Report report) {
    this.machine = machine;
    this.report = report;
  }

  void run() {
    report.title("submit: nanoseconds, median of rounds' medians (lowest to highest round)");
    external(1, 1.10, 400);
    external(10, 1.05, 200);
    external(MANY, 1.05, 60);
    replay();
    throughput();
    launch();
  }

  /** A program of launches, without tensors. */
  static Program launches(Machine machine, Kernels.Raw kernel, int kernels, int lanes) {
    LaunchProgram loaded = new LaunchProgram(kernel, kernels, machine.device().id().ordinal());
    CompileOptions options = CompileOptions.defaults().withLanes(lanes);
    return Program.of(loaded, "launches", machine.device(), options);
  }

  /** The same, captured. */
  static Program captured(
      Machine machine, Kernel kernel, KernelArguments arguments, int kernels, int lanes) {
    try (StreamContext context = machine.device().newContext()) {
      return CapturedProgram.capture(
          context,
          CaptureSpec.of("captured"),
          CompileOptions.defaults().withLanes(lanes),
          scope -> {
            for (int i = 0; i < kernels; i++) {
              scope.launch(kernel, Launch.of(1, 1), arguments);
            }
          });
    }
  }

  private Program capturedEmpty(int kernels) {
    Kernel empty = machine.module().kernel("empty");
    return captured(machine, empty, empty.arguments(), kernels, 1);
  }

  private void external(int kernels, double most, int samples) {
    Kernels.Raw empty = machine.kernels().empty();
    Submission to = machine.submission(samples);
    int drain = Math.max(1, Math.min(RUNS_IN_FLIGHT, LAUNCHES_IN_FLIGHT / kernels));
    try (Program program = launches(machine, empty, kernels, 1);
        Arguments io = program.arguments()) {
      Runnable submit = () -> program.submit(io, machine.stream());
      compareCalls(
          "external run, kernels=" + kernels,
          submit,
          () -> machine.floor().external(to.withSamples(1), empty.floor(), kernels, 1));
      warmUp(submit, drain);
      for (int every : new int[] {1, drain}) {
        Rounds rounds =
            new Rounds()
                .arm(JAVA, () -> middle(submit, samples, every))
                .arm(FLOOR, () -> machine.floor().external(to, empty.floor(), kernels, every))
                .measure(machine.options().rounds());
        bar("external run, kernels=" + kernels + inFlight(every), rounds, Goal.atMost(most));
      }
    }
  }

  private void replay() {
    long exec = Kernels.capture(machine.kernels().empty(), MANY, machine.submission(1).stream());
    Submission to = machine.submission(200);
    try (Program program = capturedEmpty(MANY);
        Arguments io = program.arguments()) {
      Runnable submit = () -> program.submit(io, machine.stream());
      compareCalls("replay", submit, () -> machine.floor().replay(to.withSamples(1), exec, 1));
      warmUp(submit, RUNS_IN_FLIGHT);
      for (int every : new int[] {1, RUNS_IN_FLIGHT}) {
        Rounds rounds =
            new Rounds()
                .arm(JAVA, () -> middle(submit, to.samples(), every))
                .arm(FLOOR, () -> machine.floor().replay(to, exec, every))
                .measure(machine.options().rounds());
        bar("replay of " + MANY + " kernels" + inFlight(every), rounds, Goal.atMost(1.3));
      }
    } finally {
      HipGraphs.graphExecDestroy(exec);
    }
  }

  private void throughput() {
    Kernels.Raw empty = machine.kernels().empty();
    long exec = Kernels.capture(empty, MANY, machine.submission(1).stream());
    Submission to = machine.submission(60);
    try (Program separate = launches(machine, empty, MANY, 1);
        Program captured = capturedEmpty(MANY);
        Arguments separateIo = separate.arguments();
        Arguments capturedIo = captured.arguments()) {
      Rounds rounds =
          new Rounds()
              .arm("separate", () -> done(separate, separateIo, to.samples()))
              .arm("captured", () -> done(captured, capturedIo, to.samples()))
              .arm("C separate", () -> machine.floor().throughput(to, empty.floor(), MANY, 0))
              .arm("C graph", () -> machine.floor().throughput(to, empty.floor(), MANY, exec))
              .measure(machine.options().rounds());
      Map<String, Median> figures = new LinkedHashMap<>();
      for (String arm : new String[] {"separate", "captured", "C separate", "C graph"}) {
        figures.put(arm, rounds.of(arm));
      }
      figures.put("C ratio", rounds.ratio("C separate", "C graph"));
      figures.put("ratio", rounds.ratio("separate", "captured"));
      report.bar(MANY + " empty kernels until done", figures, "", Goal.atLeast(4));
    } finally {
      HipGraphs.graphExecDestroy(exec);
    }
  }

  /** Not a bar: a launch of the application's own, which also keeps its memory and its code. */
  private void launch() {
    Kernel empty = machine.module().kernel("empty");
    KernelArguments none = empty.arguments();
    Submission to = machine.submission(400);
    Runnable launch = () -> empty.launch(machine.stream(), Launch.of(1, 1), none);
    warmUp(launch, RUNS_IN_FLIGHT);
    Rounds rounds =
        new Rounds()
            .arm(JAVA, () -> middle(launch, to.samples(), RUNS_IN_FLIGHT))
            .arm(
                FLOOR,
                () ->
                    machine
                        .floor()
                        .launches(to, machine.kernels().empty().floor(), 1, RUNS_IN_FLIGHT))
            .measure(machine.options().rounds());
    report.figures("Kernel.launch beside a bare launch", both(rounds), "");
  }

  private void bar(String name, Rounds rounds, Goal goal) {
    report.bar(name, both(rounds), "", goal);
  }

  private static Map<String, Median> both(Rounds rounds) {
    Map<String, Median> figures = new LinkedHashMap<>();
    figures.put(JAVA, rounds.of(JAVA));
    figures.put(FLOOR, rounds.of(FLOOR));
    figures.put("ratio", rounds.ratio(JAVA, FLOOR));
    return figures;
  }

  private static String inFlight(int runs) {
    return runs == 1 ? ", GPU idle" : ", up to " + runs + " in flight";
  }

  private void compareCalls(String of, Runnable ours, Runnable floor) {
    if (!machine.calls().canBeSeen()) {
      return;
    }
    ours.run();
    machine.settle();
    report.fact(of + ", java calls", NativeCalls.text(machine.calls().of(ours)));
    machine.settle();
    report.fact(of + ", C calls", NativeCalls.text(machine.calls().of(floor)));
  }

  private void warmUp(Runnable submit, int drainEvery) {
    middle(submit, machine.options().warmUp(), drainEvery);
  }

  /** Nanoseconds of a submission; waiting for it is not measured. */
  private double middle(Runnable submit, int samples, int drainEvery) {
    double[] nanos = new double[samples];
    machine.settle();
    for (int i = 0; i < samples; i++) {
      long start = System.nanoTime();
      submit.run();
      nanos[i] = System.nanoTime() - start;
      if ((i + 1) % drainEvery == 0) {
        machine.settle();
      }
    }
    machine.settle();
    return Median.of(Arrays.stream(nanos));
  }

  private double done(Program program, Arguments io, int samples) {
    double[] nanos = new double[samples];
    machine.settle();
    for (int i = 0; i < samples; i++) {
      long start = System.nanoTime();
      program.submit(io, machine.stream());
      machine.stream().synchronize();
      nanos[i] = System.nanoTime() - start;
    }
    return Median.of(Arrays.stream(nanos));
  }
}
