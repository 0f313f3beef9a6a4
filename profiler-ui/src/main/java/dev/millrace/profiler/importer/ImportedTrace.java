package dev.millrace.profiler.importer;

import dev.millrace.profiler.model.TraceModel;
import java.util.List;

/**
 * A trace file that was read.
 *
 * @param header what it says of itself
 * @param trace what it holds
 * @param troubles what is wrong with it, the most severe first; empty for a good one
 */
public record ImportedTrace(TraceHeader header, TraceModel trace, List<Trouble> troubles) {
  public ImportedTrace {
    troubles = List.copyOf(troubles);
  }

  /** Whether things happened that the trace does not show. */
  public boolean hasDataLoss() {
    return troubles.stream().anyMatch(it -> it.kind().severity() == TroubleKind.Severity.DATA_LOSS);
  }
}
