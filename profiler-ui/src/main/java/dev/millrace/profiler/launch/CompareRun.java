package dev.millrace.profiler.launch;

import dev.millrace.profiler.analysis.TraceFacts;
import dev.millrace.profiler.compare.Arm;
import dev.millrace.profiler.compare.ArmRound;
import dev.millrace.profiler.compare.Comparison;
import dev.millrace.stream.Device;
import dev.millrace.tensor.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Measures all arms in interleaved rounds, then reads the traces. */
final class CompareRun {
  private static final int WARM_UP_ROUNDS = 3;

  private final ModelFile file;
  private final CompareSettings settings;
  private final Path folder;
  private final Progress progress;
  private final List<ArmPlan> plans;

  private CompareRun(ModelFile file, CompareSettings settings, Path folder, Progress progress) {
    this.file = file;
    this.settings = settings;
    this.folder = folder;
    this.progress = progress;
    plans = ArmPlan.forClients(settings.clients());
  }

  static CompareResult run(ModelFile file, CompareSettings settings, Path folder, Progress progress)
      throws IOException, InterruptedException {
    return new CompareRun(file, settings, folder, progress).run();
  }

  private CompareResult run() throws IOException, InterruptedException {
    MachineLoad loadBefore = MachineLoad.now();
    Map<String, Shape> shapes = measure();
    List<Arm> arms = new ArrayList<>();
    List<TraceFacts> facts = new ArrayList<>();
    for (ArmPlan plan : plans) {
      List<ArmRound> rounds = new ArrayList<>();
      for (int round = 1; round <= settings.rounds(); round++) {
        RoundTrace trace =
            RoundTrace.read(trace(plan, round), settings.clients() * settings.iterations());
        rounds.add(trace.round());
        facts.add(trace.facts());
        progress.at("reading traces", facts.size(), plans.size() * settings.rounds());
      }
      arms.add(new Arm(plan.name(), rounds));
    }
    Comparison comparison = Comparison.of(arms, settings.seed());
    return new CompareResult(file.model(), settings, shapes, plans, comparison, facts, loadBefore);
  }

  private Map<String, Shape> measure() throws IOException, InterruptedException {
    List<ArmRunner> runners = new ArrayList<>();
    try (Device device = Device.open("host")) {
      try {
        for (ArmPlan plan : plans) {
          Files.createDirectories(folder.resolve(plan.folder()));
          runners.add(ArmRunner.open(plan, file, settings, device));
          warmUp(runners.getLast());
          progress.at("loading and warming up arms", runners.size(), plans.size());
        }
        measure(runners);
        requireAgreement(runners);
        return InputShapes.of(
            runners.getFirst().program().inputs(), file.shapesWith(settings.shapes()));
      } finally {
        runners.reversed().forEach(ArmRunner::close);
      }
    }
  }

  private static void warmUp(ArmRunner runner) throws InterruptedException {
    for (int i = 0; i < WARM_UP_ROUNDS; i++) {
      runner.loopAll();
    }
  }

  /** Each round begins with another arm, so that none always comes first. */
  private void measure(List<ArmRunner> runners) throws IOException, InterruptedException {
    for (int round = 1; round <= settings.rounds(); round++) {
      for (int i = 0; i < runners.size(); i++) {
        ArmRunner runner = runners.get((round + i) % runners.size());
        runner.round(trace(runner.plan(), round));
      }
      progress.at("measuring rounds", round, settings.rounds());
    }
  }

  private Path trace(ArmPlan plan, int round) {
    return folder.resolve(plan.folder()).resolve("round-%03d.trace.json".formatted(round));
  }

  private static void requireAgreement(List<ArmRunner> runners) {
    List<Long> expected = runners.getFirst().answers();
    for (ArmRunner runner : runners) {
      if (!runner.answers().equals(expected)) {
        throw new IllegalStateException(
            "the arms do not compute the same: %s answers %s, %s answers %s"
                .formatted(
                    runners.getFirst().plan().name(),
                    expected,
                    runner.plan().name(),
                    runner.answers()));
      }
    }
  }
}
