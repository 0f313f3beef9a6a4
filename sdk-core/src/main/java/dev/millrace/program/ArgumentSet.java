package dev.millrace.program;

import dev.millrace.lifetime.HoldCount;
import dev.millrace.spi.PreparedArguments;
import dev.millrace.tensor.Tensor;
import java.util.List;

/**
 * The tensors of a run with what the engine made of them. Held once by its owner, an {@code
 * Arguments} or a {@code Run}, and once by each run in flight.
 */
final class ArgumentSet {
  private final Tensor[] tensors;
  private final List<Tensor> outputs;
  private final PreparedArguments prepared;
  private final HoldCount holds = new HoldCount();
  private List<Tensor> owned = List.of();

  ArgumentSet(List<Tensor> inputs, List<Tensor> outputs, PreparedArguments prepared) {
    this.tensors = new Tensor[inputs.size() + outputs.size()];
    for (int i = 0; i < tensors.length; i++) {
      tensors[i] = i < inputs.size() ? inputs.get(i) : outputs.get(i - inputs.size());
    }
    this.outputs = outputs;
    this.prepared = prepared;
  }

  /** Makes these tensors the set's own, to be closed with it. */
  ArgumentSet owning(List<Tensor> tensorsToClose) {
    owned = tensorsToClose;
    return this;
  }

  void closeOwned() {
    owned.forEach(Tensor::close);
    release();
  }

  PreparedArguments prepared() {
    return prepared;
  }

  /** An output by its place. */
  Tensor output(int index, ProgramCore core) {
    if (index < 0 || index >= outputs.size()) {
      throw new IllegalArgumentException(
          "output=" + index + " of " + core + ": expected 0 to " + (outputs.size() - 1));
    }
    return outputs.get(index);
  }

  /** The place of an output that the program names so. */
  static int outputIndex(String name, ProgramCore core) {
    return Specs.indexOf(core.loaded().outputs(), name, "output", core);
  }

  /** Keeps everything alive for a run; if a tensor is closed nothing is kept. */
  void retainForRun() {
    int kept = 0;
    try {
      for (; kept < tensors.length; kept++) {
        tensors[kept].retain();
      }
    } catch (IllegalStateException e) {
      releaseTensors(kept);
      throw e;
    }
    if (!holds.retain()) {
      releaseTensors(kept);
      throw new IllegalStateException("run with closed arguments");
    }
  }

  void releaseAfterRun() {
    releaseTensors(tensors.length);
    release();
  }

  private void releaseTensors(int count) {
    for (int i = 0; i < count; i++) {
      tensors[i].release();
    }
  }

  /** Ends the owner's hold, or a run's. */
  void release() {
    if (holds.release()) {
      prepared.close();
    }
  }
}
