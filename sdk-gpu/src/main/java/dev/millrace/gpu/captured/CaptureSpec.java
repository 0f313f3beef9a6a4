package dev.millrace.gpu.captured;

import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What a captured program is called, takes and gives. Immutable: each {@code with} method returns a
 * copy.
 *
 * <p>Experimental: may change in any release.
 */
public final class CaptureSpec {
  private final String name;
  private final List<Slot> inputs;
  private final List<Slot> outputs;

  /** An input or output. */
  record Slot(TensorSpec spec, Passing passing) {
    boolean isRepointed() {
      return passing == Passing.REPOINTED;
    }
  }

  private CaptureSpec(String name, List<Slot> inputs, List<Slot> outputs) {
    this.name = name;
    this.inputs = inputs;
    this.outputs = outputs;
  }

  /**
   * A program that takes and gives nothing yet.
   *
   * @param name what messages and traces call it
   * @return the specification
   * @throws IllegalArgumentException if the name is blank
   */
  public static CaptureSpec of(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException("captured program name is blank");
    }
    return new CaptureSpec(name, List.of(), List.of());
  }

  /**
   * Adds an input that runs copy into a buffer of the lane.
   *
   * @param input its name
   * @param type its element type
   * @param shape its shape, every dimension known
   * @return a copy with that input
   */
  public CaptureSpec withInput(String input, DataType type, Shape shape) {
    return withInput(input, type, shape, Passing.FIXED);
  }

  /**
   * Adds an input.
   *
   * @param input its name
   * @param type its element type
   * @param shape its shape, every dimension known
   * @param passing how the captured work gets at it
   * @return a copy with that input
   * @throws IllegalArgumentException if the name is taken, or a dimension unknown
   */
  public CaptureSpec withInput(String input, DataType type, Shape shape, Passing passing) {
    return new CaptureSpec(name, plus(inputs, slot("input", input, type, shape, passing)), outputs);
  }

  /**
   * Adds an output that runs copy out of a buffer of the lane.
   *
   * @param output its name
   * @param type its element type
   * @param shape its shape, every dimension known
   * @return a copy with that output
   */
  public CaptureSpec withOutput(String output, DataType type, Shape shape) {
    return withOutput(output, type, shape, Passing.FIXED);
  }

  /**
   * Adds an output.
   *
   * @param output its name
   * @param type its element type
   * @param shape its shape, every dimension known
   * @param passing how the captured work gets at it
   * @return a copy with that output
   * @throws IllegalArgumentException if the name is taken, or a dimension unknown
   */
  public CaptureSpec withOutput(String output, DataType type, Shape shape, Passing passing) {
    Slot slot = slot("output", output, type, shape, passing);
    return new CaptureSpec(name, inputs, plus(outputs, slot));
  }

  private Slot slot(String role, String tensor, DataType type, Shape shape, Passing passing) {
    Objects.requireNonNull(tensor, "name");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(passing, "passing");
    String subject = role + "=" + tensor + " of captured program=" + name;
    if (tensor.isBlank() || slots().anyMatch(slot -> slot.spec().name().equals(tensor))) {
      throw new IllegalArgumentException(subject + ": expected a name that is not taken");
    }
    if (!shape.isStatic()) {
      throw new IllegalArgumentException(
          subject + ": shape=" + shape + ", expected every dimension to be known");
    }
    return new Slot(new TensorSpec(tensor, type, shape), passing);
  }

  private static List<Slot> plus(List<Slot> slots, Slot one) {
    List<Slot> more = new ArrayList<>(slots);
    more.add(one);
    return List.copyOf(more);
  }

  /**
   * What messages and traces call it.
   *
   * @return the name
   */
  public String name() {
    return name;
  }

  List<Slot> inputs() {
    return inputs;
  }

  List<Slot> outputs() {
    return outputs;
  }

  /** Inputs, then outputs. */
  Stream<Slot> slots() {
    return Stream.concat(inputs.stream(), outputs.stream());
  }

  @Override
  public String toString() {
    return "captured program=" + name;
  }
}
