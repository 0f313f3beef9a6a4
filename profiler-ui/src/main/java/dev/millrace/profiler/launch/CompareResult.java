package dev.millrace.profiler.launch;

import dev.millrace.model.Model;
import dev.millrace.profiler.analysis.TraceFacts;
import dev.millrace.profiler.compare.Comparison;
import dev.millrace.tensor.Shape;
import java.util.List;
import java.util.Map;

/**
 * What a comparison measured.
 *
 * @param shapes of the model's inputs
 * @param facts of each trace
 * @param loadBefore of the machine, before the first round
 */
record CompareResult(
    Model model,
    CompareSettings settings,
    Map<String, Shape> shapes,
    List<ArmPlan> arms,
    Comparison comparison,
    List<TraceFacts> facts,
    MachineLoad loadBefore) {}
