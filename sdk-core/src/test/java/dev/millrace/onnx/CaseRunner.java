package dev.millrace.onnx;

import dev.millrace.error.DeviceException;
import dev.millrace.error.ModelException;
import dev.millrace.model.CompileOptions;
import dev.millrace.model.Model;
import dev.millrace.program.Arguments;
import dev.millrace.program.Program;
import dev.millrace.program.Run;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.Tensor;
import dev.millrace.tensor.TensorSpec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Runs a case on a stream of its caller, and holds what comes out against what should. */
final class CaseRunner {
  private final Device device;
  private final DeviceStream stream;

  CaseRunner(Device device, DeviceStream stream) {
    this.device = device;
    this.stream = stream;
  }

  /** What became of the case. */
  Verdict verdict(OnnxCase onnxCase) throws IOException, InterruptedException {
    try {
      List<TensorProto> found = run(onnxCase.model(), specs -> onnxCase.inputs());
      return compare(onnxCase.outputs(), found);
    } catch (ModelException e) {
      return Verdict.refused(e);
    } catch (DeviceException e) {
      return Verdict.fails(e);
    }
  }

  /** Says what to feed to a program. */
  @FunctionalInterface
  interface Inputs {
    /** One tensor for each of the program's inputs, in their order. */
    List<TensorProto> of(List<TensorSpec> specs) throws IOException;
  }

  /** Loads a model and runs it once. */
  List<TensorProto> run(Model model, Inputs inputs) throws IOException, InterruptedException {
    CompileOptions options = CompileOptions.defaults().withThreadsPerRun(1);
    try (Program program = Program.load(model, device, options);
        Arguments io = program.arguments()) {
      fill(io, program.inputs(), inputs.of(program.inputs()));
      try (Run run = program.runAsync(io, stream)) {
        run.await();
        return outputs(program.outputs(), run);
      }
    }
  }

  private static void fill(Arguments io, List<TensorSpec> specs, List<TensorProto> inputs) {
    if (specs.size() != inputs.size()) {
      throw new IllegalStateException("inputs=" + specs + " but values=" + inputs.size());
    }
    for (int i = 0; i < inputs.size(); i++) {
      TensorProto value = inputs.get(i);
      io.allocateInput(specs.get(i).name(), value.shape()).write(value.elements());
    }
  }

  private static List<TensorProto> outputs(List<TensorSpec> specs, Run run) {
    List<TensorProto> outputs = new ArrayList<>();
    for (int i = 0; i < specs.size(); i++) {
      outputs.add(value(specs.get(i).name(), run.output(i)));
    }
    return outputs;
  }

  private static TensorProto value(String name, Tensor tensor) {
    MemorySegment elements = MemorySegment.ofArray(tensor.segment().toArray(ValueLayout.JAVA_BYTE));
    return new TensorProto(name, tensor.type(), tensor.shape(), elements);
  }

  private static Verdict compare(List<TensorProto> expected, List<TensorProto> found) {
    for (int i = 0; i < expected.size(); i++) {
      if (Tolerance.ONNX.difference(expected.get(i), found.get(i)).isPresent()) {
        return Verdict.differs(found.get(i).name());
      }
    }
    return Verdict.PASSES;
  }
}
