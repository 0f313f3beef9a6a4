package dev.millrace.host;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.Result;
import dev.millrace.error.DeviceException;
import dev.millrace.spi.PreparedArguments;
import dev.millrace.tensor.Tensor;
import dev.millrace.tensor.TensorSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tensors as ONNX Runtime takes them. Those whose shape is known are described to it once, over
 * their own memory, and no run allocates or copies anything for them. A pending input is described
 * when the run begins; a pending output is where ONNX Runtime put it, and is copied from there.
 */
final class OnnxArguments implements PreparedArguments {
  private final OnnxProgram program;
  private final Map<String, OnnxTensor> inputs = new LinkedHashMap<>();
  private final Map<String, OnnxTensor> outputs = new LinkedHashMap<>();
  private final Map<String, Tensor> pendingInputs = new LinkedHashMap<>();
  private final Map<String, Tensor> pendingOutputs = new LinkedHashMap<>();

  /** The keys of the pending outputs, made once: ONNX Runtime goes through them at each run. */
  private Set<String> pendingNames = Set.of();

  private OnnxArguments(OnnxProgram program) {
    this.program = program;
  }

  static OnnxArguments of(
      OnnxProgram program, List<Tensor> givenInputs, List<Tensor> givenOutputs) {
    OnnxArguments arguments = new OnnxArguments(program);
    try {
      arguments.addInputs(program.inputs(), givenInputs);
      arguments.addOutputs(program.outputs(), givenOutputs);
      return arguments;
    } catch (OrtException e) {
      arguments.close();
      throw DeviceException.of(
          "prepare arguments of program=" + program.name(),
          program.driver().id(),
          "OnnxTensor.createTensor",
          e);
    } catch (RuntimeException e) {
      arguments.close();
      throw e;
    }
  }

  private void addInputs(List<TensorSpec> specs, List<Tensor> tensors) throws OrtException {
    for (int i = 0; i < specs.size(); i++) {
      String name = specs.get(i).name();
      Tensor tensor = tensors.get(i);
      if (tensor.isPending()) {
        pendingInputs.put(name, tensor);
      } else {
        inputs.put(name, OnnxValues.over("input=" + name, tensor, tensor.memory()));
      }
    }
  }

  private void addOutputs(List<TensorSpec> specs, List<Tensor> tensors) throws OrtException {
    for (int i = 0; i < specs.size(); i++) {
      String name = specs.get(i).name();
      Tensor tensor = tensors.get(i);
      if (tensor.isPending()) {
        pendingOutputs.put(name, tensor);
      } else {
        outputs.put(name, OnnxValues.writable("output=" + name, tensor, tensor.memory()));
      }
    }
    pendingNames = Set.copyOf(pendingOutputs.keySet());
  }

  OnnxProgram program() {
    return program;
  }

  /** Runs the model; if that fails, so do the pending outputs. */
  void runOn(OrtSession session) throws OrtException {
    try {
      if (pendingInputs.isEmpty()) {
        runOn(session, inputs);
      } else {
        runOnPending(session);
      }
    } catch (OrtException | RuntimeException | OutOfMemoryError e) {
      failPendingOutputs(e);
      throw e;
    }
  }

  private void runOnPending(OrtSession session) throws OrtException {
    Map<String, OnnxTensor> resolved = new LinkedHashMap<>();
    try {
      for (Map.Entry<String, Tensor> input : pendingInputs.entrySet()) {
        Tensor tensor = input.getValue();
        resolved.put(
            input.getKey(),
            OnnxValues.over("input=" + input.getKey(), tensor, tensor.heldMemory()));
      }
      Map<String, OnnxTensor> all = new LinkedHashMap<>(inputs);
      all.putAll(resolved);
      runOn(session, all);
    } finally {
      OnnxValue.close(resolved);
    }
  }

  private void runOn(OrtSession session, Map<String, OnnxTensor> allInputs) throws OrtException {
    try (Result result = session.run(allInputs, pendingNames, outputs)) {
      for (Map.Entry<String, Tensor> output : pendingOutputs.entrySet()) {
        OnnxTensor value = (OnnxTensor) result.get(output.getKey()).orElseThrow();
        OnnxValues.resolve(output.getValue(), value, program.driver());
      }
    }
  }

  private void failPendingOutputs(Throwable cause) {
    for (Tensor output : pendingOutputs.values()) {
      output.fail("run program=" + program.name() + ": " + cause.getMessage());
    }
  }

  @Override
  public void close() {
    OnnxValue.close(inputs);
    OnnxValue.close(outputs);
    inputs.clear();
    outputs.clear();
  }
}
