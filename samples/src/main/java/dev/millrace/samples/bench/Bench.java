package dev.millrace.samples.bench;

import static dev.millrace.samples.models.MeasuredModel.ONE_NODE;
import static dev.millrace.samples.models.MeasuredModel.RECOGNISER;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.openjdk.jmh.runner.RunnerException;

/**
 * What a program costs on the host device beside ONNX Runtime alone. All arms are measured in each
 * round, one JVM each, and every second round goes through them backwards; a figure is the median
 * over the rounds, with the lowest and the highest.
 *
 * <p>{@code Bench [ROUNDS]}: 7 rounds unless told otherwise. Exits with 1 if a bar is missed.
 */
public final class Bench {
  private static final Arm RUN = new Arm(RunBenchmark.class, "programRun", ONE_NODE);
  private static final Arm SESSION = new Arm(RunBenchmark.class, "sessionRun", ONE_NODE);
  private static final Arm LONG_RUN = new Arm(RunBenchmark.class, "programRun", RECOGNISER);
  private static final Arm LONG_SESSION = new Arm(RunBenchmark.class, "sessionRun", RECOGNISER);
  private static final Arm ASYNC = new Arm(HandOffBenchmark.class, "runAsync", ONE_NODE);
  private static final Arm EMPTY = new Arm(HandOffBenchmark.class, "emptyFunction", ONE_NODE);
  private static final Arm ENGINE =
      new Arm(HandOffBenchmark.class, "sessionRunInFunction", ONE_NODE);
  private static final Arm BIND = new Arm(BindBenchmark.class, "bindAndRestore", null);

  private static final List<Bar> BARS =
      List.of(
          Bar.added("run adds to OrtSession.run, one node", RUN, SESSION, 3),
          Bar.ratio("run over OrtSession.run, recogniser", LONG_RUN, LONG_SESSION, 1.02),
          Bar.ratio("runAsync + synchronize over the bare hand-off", ASYNC, EMPTY, 2),
          new Bar("bind + restore", BIND, BIND, (bind, _) -> bind.nanoseconds(), "ns", 20),
          new Bar("bind + restore allocate", BIND, BIND, (bind, _) -> rounded(bind), "B", 0));

  /** Not a bar: what of the hand-off's price is the program's, and not the engine's. */
  private static final Bar WITHOUT_ENGINE =
      Bar.ratio("runAsync + synchronize over OrtSession.run handed off", ASYNC, ENGINE, 2);

  private final List<Arm> arms =
      List.of(RUN, SESSION, LONG_RUN, LONG_SESSION, ASYNC, EMPTY, ENGINE, BIND);
  private final Map<Arm, List<Arm.Fork>> forks = new LinkedHashMap<>();

  private Bench() {}

  // What JMH's own bookkeeping costs is spread over the operations: far less than an object.
  private static double rounded(Arm.Fork fork) {
    return Math.rint(fork.bytes());
  }

  /**
   * Measures, and prints.
   *
   * @param args how many rounds
   */
  public static void main(String[] args) throws RunnerException, IOException {
    int rounds = args.length == 0 ? 7 : Integer.parseInt(args[0]);
    System.out.println("load average before: " + loadAverage());
    Bench bench = new Bench();
    for (int round = 1; round <= rounds; round++) {
      bench.measure(round, rounds);
    }
    bench.print();
    boolean held = bench.judge();
    SubmitBytes submission = SubmitBytes.measure();
    submission.print();
    System.out.println("load average after: " + loadAverage());
    if (!held || !submission.holds()) {
      System.exit(1);
    }
  }

  private static String loadAverage() throws IOException {
    return Files.readString(Path.of("/proc/loadavg")).strip();
  }

  private void measure(int round, int rounds) throws RunnerException {
    System.err.println("round " + round + " of " + rounds);
    for (Arm arm : round % 2 == 1 ? arms : arms.reversed()) {
      forks.computeIfAbsent(arm, _ -> new ArrayList<>()).add(arm.measure());
    }
  }

  private void print() {
    System.out.printf("%-42s %12s %12s %12s %8s%n", "", "median ns", "lowest", "highest", "B/op");
    for (Arm arm : arms) {
      List<Arm.Fork> of = forks(arm);
      Median time = Median.within(of.stream().mapToDouble(Arm.Fork::nanoseconds));
      System.out.printf(
          Locale.ROOT,
          "%-42s %12.1f %12.1f %12.1f %8.1f%n",
          arm,
          time.value(),
          time.lowest(),
          time.highest(),
          Median.of(of.stream().mapToDouble(Arm.Fork::bytes)));
    }
  }

  private boolean judge() {
    boolean held = true;
    for (Bar bar : BARS) {
      Median seen = figure(bar);
      System.out.println(bar.verdict(seen));
      held &= seen.value() <= bar.most();
    }
    System.out.println("no bar:  " + WITHOUT_ENGINE.verdict(figure(WITHOUT_ENGINE)));
    return held;
  }

  private Median figure(Bar bar) {
    List<Arm.Fork> ours = forks(bar.ours());
    List<Arm.Fork> beside = forks(bar.beside());
    return Median.within(
        IntStream.range(0, ours.size())
            .mapToDouble(round -> bar.figure().applyAsDouble(ours.get(round), beside.get(round))));
  }

  private List<Arm.Fork> forks(Arm arm) {
    return forks.getOrDefault(arm, List.of());
  }
}
