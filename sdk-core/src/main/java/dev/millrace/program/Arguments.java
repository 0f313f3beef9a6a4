package dev.millrace.program;

import dev.millrace.stream.Device;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import dev.millrace.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The tensors with which a program runs, by name. They are used again by each run until others are
 * set, so that nothing is allocated per run.
 *
 * <p>It owns the tensors that it makes itself and borrows those that it is given. An output for
 * which there is no tensor is allocated by each {@link Run}. One thread at a time.
 */
public final class Arguments implements AutoCloseable {
  private final ProgramCore core;
  private final Device device;
  private final List<TensorSpec> inputSpecs;
  private final List<TensorSpec> outputSpecs;
  private final @Nullable Tensor[] inputs;
  private final @Nullable Tensor[] outputs;
  private final List<Tensor> made = new ArrayList<>();
  private final AtomicReference<@Nullable Thread> user = new AtomicReference<>();
  private @Nullable ArgumentSet reusable;
  private boolean closed;

  Arguments(ProgramCore core) {
    this.core = core;
    this.device = core.device();
    this.inputSpecs = core.inputs();
    this.outputSpecs = core.loaded().outputs();
    this.inputs = new @Nullable Tensor[inputSpecs.size()];
    this.outputs = new @Nullable Tensor[outputSpecs.size()];
  }

  /**
   * The tensor of an input, made now if there is none and the program knows its shape.
   *
   * @param name the input's name in the model
   * @return the tensor
   * @throws IllegalStateException if there is none and its shape has unknown dimensions
   */
  public Tensor input(String name) {
    return input(Specs.indexOf(inputSpecs, name, "input", core));
  }

  /**
   * The tensor of an input, made now if there is none and the program knows its shape.
   *
   * @param index the input's place in the model's order
   * @return the tensor
   * @throws IllegalStateException if there is none and its shape has unknown dimensions
   */
  public Tensor input(int index) {
    TensorSpec spec = Specs.at(inputSpecs, index, "input", core);
    return exclusively(() -> existingOrMade(inputs, index, spec, "input"));
  }

  /**
   * The tensor of an output, made now if there is none and the program knows its shape.
   *
   * @param name the output's name in the model
   * @return the tensor, which each later run writes
   * @throws IllegalStateException if there is none and its shape has unknown dimensions
   */
  public Tensor output(String name) {
    return output(Specs.indexOf(outputSpecs, name, "output", core));
  }

  /**
   * The tensor of an output, made now if there is none and the program knows its shape.
   *
   * @param index the output's place in the model's order
   * @return the tensor, which each later run writes
   * @throws IllegalStateException if there is none and its shape has unknown dimensions
   */
  public Tensor output(int index) {
    TensorSpec spec = Specs.at(outputSpecs, index, "output", core);
    return exclusively(() -> existingOrMade(outputs, index, spec, "output"));
  }

  /**
   * Sets the tensor of an input. It is borrowed: the caller closes it.
   *
   * @param name the input's name in the model
   * @param tensor of the input's type and of a shape that it accepts
   * @return this
   * @throws IllegalArgumentException for another name, type, shape or device, with what is expected
   */
  public Arguments input(String name, Tensor tensor) {
    return input(Specs.indexOf(inputSpecs, name, "input", core), tensor);
  }

  /**
   * Sets the tensor of an input. It is borrowed: the caller closes it.
   *
   * @param index the input's place in the model's order
   * @param tensor of the input's type and of a shape that it accepts
   * @return this
   * @throws IllegalArgumentException for another place, type, shape or device, with what is
   *     expected
   */
  public Arguments input(int index, Tensor tensor) {
    TensorSpec spec = Specs.at(inputSpecs, index, "input", core);
    Specs.check(spec, tensor, device.id(), "input", core);
    return set(inputs, index, tensor);
  }

  /**
   * Sets the tensor that runs write for an output. It is borrowed: the caller closes it.
   *
   * @param name the output's name in the model
   * @param tensor of the output's type and of a shape that it accepts
   * @return this
   * @throws IllegalArgumentException for another name, type, shape or device, with what is expected
   */
  public Arguments output(String name, Tensor tensor) {
    return output(Specs.indexOf(outputSpecs, name, "output", core), tensor);
  }

  /**
   * Sets the tensor that runs write for an output. It is borrowed: the caller closes it.
   *
   * @param index the output's place in the model's order
   * @param tensor of the output's type and of a shape that it accepts
   * @return this
   * @throws IllegalArgumentException for another place, type, shape or device, with what is
   *     expected
   */
  public Arguments output(int index, Tensor tensor) {
    TensorSpec spec = Specs.at(outputSpecs, index, "output", core);
    if (tensor.isPending()) {
      throw new IllegalArgumentException(
          "output="
              + spec.name()
              + " of "
              + core
              + ": given "
              + tensor
              + ", expected memory to write");
    }
    Specs.check(spec, tensor, device.id(), "output", core);
    return set(outputs, index, tensor);
  }

  /**
   * Makes a tensor for an input whose shape has unknown dimensions, in place of an earlier one.
   *
   * @param name the input's name in the model
   * @param shape a shape that it accepts, without unknown dimensions
   * @return the tensor, owned by this
   */
  public Tensor allocateInput(String name, Shape shape) {
    int index = Specs.indexOf(inputSpecs, name, "input", core);
    return exclusively(() -> make(inputs, index, inputSpecs.get(index), shape, "input"));
  }

  /**
   * Makes a tensor for an output whose shape has unknown dimensions, in place of an earlier one.
   *
   * @param name the output's name in the model
   * @param shape a shape that it accepts, without unknown dimensions
   * @return the tensor, owned by this
   */
  public Tensor allocateOutput(String name, Shape shape) {
    int index = Specs.indexOf(outputSpecs, name, "output", core);
    return exclusively(() -> make(outputs, index, outputSpecs.get(index), shape, "output"));
  }

  private Tensor existingOrMade(
      @Nullable Tensor[] tensors, int index, TensorSpec spec, String role) {
    Tensor existing = tensors[index];
    if (existing != null) {
      return existing;
    }
    if (!spec.shape().isStatic()) {
      throw new IllegalStateException(
          role
              + "="
              + spec.name()
              + " of "
              + core
              + ": shape="
              + spec.shape()
              + " has unknown dimensions; allocate it with a shape, or set a tensor");
    }
    return make(tensors, index, spec, spec.shape(), role);
  }

  private Tensor make(
      @Nullable Tensor[] tensors, int index, TensorSpec spec, Shape shape, String role) {
    if (!spec.shape().accepts(shape) || !shape.isStatic()) {
      throw new IllegalArgumentException(
          role
              + "="
              + spec.name()
              + " of "
              + core
              + ": given shape="
              + shape
              + ", expected "
              + spec.shape());
    }
    Tensor tensor = device.allocate(spec.type(), shape);
    Tensor before = tensors[index];
    if (before != null && made.removeIf(one -> one == before)) {
      before.close();
    }
    made.add(tensor);
    changed(tensors, index, tensor);
    return tensor;
  }

  private Arguments set(@Nullable Tensor[] tensors, int index, Tensor tensor) {
    return exclusively(
        () -> {
          if (tensors[index] != tensor) {
            changed(tensors, index, tensor);
          }
          return this;
        });
  }

  private void changed(@Nullable Tensor[] tensors, int index, Tensor tensor) {
    tensors[index] = tensor;
    dropReusable();
  }

  private void dropReusable() {
    ArgumentSet before = reusable;
    reusable = null;
    if (before != null) {
      before.release();
    }
  }

  /** Whether each output has a tensor, so that the same set serves every run. */
  boolean hasAllOutputs() {
    for (Tensor output : outputs) {
      if (output == null) {
        return false;
      }
    }
    return true;
  }

  /** The set for runs that allocate nothing; outputs of known shape are made now. */
  ArgumentSet reusableSet() {
    ArgumentSet set = reusable;
    if (set == null) {
      for (int i = 0; i < outputs.length; i++) {
        existingOrMade(outputs, i, outputSpecs.get(i), "output");
      }
      set = prepare(present(outputs));
      reusable = set;
    }
    return set;
  }

  /** A set for one run, which owns the outputs that this has no tensor for. */
  ArgumentSet setForOneRun() {
    List<Tensor> all = new ArrayList<>();
    List<Tensor> owned = new ArrayList<>();
    try {
      for (int i = 0; i < outputs.length; i++) {
        Tensor output = outputs[i];
        if (output == null) {
          output = newOutput(outputSpecs.get(i));
          owned.add(output);
        }
        all.add(output);
      }
      return prepare(all).owning(owned);
    } catch (RuntimeException | Error e) {
      owned.forEach(Tensor::close);
      throw e;
    }
  }

  private Tensor newOutput(TensorSpec spec) {
    return spec.shape().isStatic()
        ? device.allocate(spec.type(), spec.shape())
        : Tensor.pending(spec.type(), device.id());
  }

  private ArgumentSet prepare(List<Tensor> allOutputs) {
    List<Tensor> allInputs = present(inputs);
    return new ArgumentSet(allInputs, allOutputs, core.loaded().prepare(allInputs, allOutputs));
  }

  private List<Tensor> present(@Nullable Tensor[] tensors) {
    List<Tensor> present = new ArrayList<>(tensors.length);
    for (Tensor tensor : tensors) {
      if (tensor == null) {
        throw new IllegalArgumentException("run of " + core + ": no tensor for " + missing());
      }
      present.add(tensor);
    }
    return present;
  }

  private String missing() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < inputs.length; i++) {
      if (inputs[i] == null) {
        names.add("input " + inputSpecs.get(i));
      }
    }
    return String.join(", ", names);
  }

  void checkFor(ProgramCore program) {
    if (program != core) {
      throw new IllegalArgumentException(
          "run of " + program + ": given arguments of " + core + ", expected its own");
    }
  }

  void enter() {
    Thread current = Thread.currentThread();
    if (!user.compareAndSet(null, current)) {
      Thread other = user.get();
      throw new IllegalStateException(
          "use arguments of "
              + core
              + " on thread="
              + current.getName()
              + " while thread="
              + (other == null ? "another" : other.getName())
              + " uses them: one thread at a time");
    }
    if (closed) {
      leave();
      throw new IllegalStateException("use closed arguments of " + core);
    }
  }

  void leave() {
    user.set(null);
  }

  private <T> T exclusively(Supplier<T> use) {
    enter();
    try {
      return use.get();
    } finally {
      leave();
    }
  }

  /** Closes the tensors that this made, once the runs that use them are done; others stay open. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    enter();
    closed = true;
    leave();
    dropReusable();
    made.forEach(Tensor::close);
    made.clear();
    Arrays.fill(inputs, null);
    Arrays.fill(outputs, null);
  }
}
