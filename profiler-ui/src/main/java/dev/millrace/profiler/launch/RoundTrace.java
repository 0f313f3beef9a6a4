package dev.millrace.profiler.launch;

import dev.millrace.profiler.analysis.IterationReport;
import dev.millrace.profiler.analysis.TraceAnalysis;
import dev.millrace.profiler.analysis.TraceFacts;
import dev.millrace.profiler.compare.ArmRound;
import dev.millrace.profiler.importer.ImportedTrace;
import dev.millrace.profiler.importer.MillraceTraceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What the trace of one round says.
 *
 * @param round in the form that is compared
 * @param facts what has to be known before it is believed
 */
record RoundTrace(ArmRound round, TraceFacts facts) {

  /** Reads a trace; one from which something is missing is refused. */
  static RoundTrace read(Path file, int expectedTurns) throws IOException {
    ImportedTrace imported = MillraceTraceReader.read(file);
    if (imported.hasDataLoss()) {
      throw new IllegalStateException(
          "the trace " + file + " cannot be judged: " + imported.troubles().getFirst());
    }
    TraceAnalysis analysis = TraceAnalysis.of(imported.trace());
    List<IterationReport> turns = analysis.iterations();
    if (turns.size() != expectedTurns) {
      throw new IllegalStateException(
          "the trace %s cannot be judged: it has %d of %d turns"
              .formatted(file, turns.size(), expectedTurns));
    }
    return new RoundTrace(
        new ArmRound(turns.stream().map(IterationReport::parts).toList(), wallNs(turns)),
        analysis.facts());
  }

  private static long wallNs(List<IterationReport> turns) {
    long begin = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    for (IterationReport turn : turns) {
      begin = Math.min(begin, turn.iteration().range().beginNs());
      end = Math.max(end, turn.iteration().range().endNs());
    }
    return end - begin;
  }
}
