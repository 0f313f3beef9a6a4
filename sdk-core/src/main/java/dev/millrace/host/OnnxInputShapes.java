package dev.millrace.host;

import dev.millrace.tensor.Shape;
import dev.millrace.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The shapes to which the application fixes inputs, and what follows for the whole model. */
final class OnnxInputShapes {
  private final Map<String, Shape> fixed;

  OnnxInputShapes(Map<String, Shape> fixed) {
    this.fixed = fixed;
  }

  boolean isEmpty() {
    return fixed.isEmpty();
  }

  /**
   * The sizes of the model's symbolic dimensions, which ONNX Runtime carries through to the
   * outputs. A free dimension without a symbol cannot be told to it; only {@link #applyTo} knows
   * it.
   */
  Map<String, Long> symbols(OnnxHeader header) {
    Map<String, Long> sizes = new HashMap<>();
    for (Map.Entry<String, Shape> entry : fixed.entrySet()) {
      OnnxHeader.Value stated = header.inputs().get(entry.getKey());
      if (stated != null && stated.dims() != null) {
        collect(entry.getKey(), entry.getValue(), stated.dims(), sizes);
      }
    }
    return sizes;
  }

  private static void collect(
      String input, Shape shape, List<OnnxHeader.Dim> stated, Map<String, Long> sizes) {
    for (int axis = 0; axis < Math.min(shape.rank(), stated.size()); axis++) {
      String symbol = stated.get(axis).symbol();
      long size = shape.dim(axis);
      if (symbol.isEmpty() || size < 0) {
        continue;
      }
      Long before = sizes.putIfAbsent(symbol, size);
      if (before != null && before != size) {
        throw new IllegalArgumentException(
            "input="
                + input
                + " shape="
                + shape
                + ": the model calls axis "
                + axis
                + " "
                + symbol
                + ", which is "
                + before
                + " elsewhere");
      }
    }
  }

  /** The inputs with the fixed shapes in place of the model's. */
  List<TensorSpec> applyTo(List<TensorSpec> inputs) {
    List<TensorSpec> result = new ArrayList<>();
    for (TensorSpec input : inputs) {
      Shape shape = fixed.get(input.name());
      result.add(shape == null ? input : fix(input, shape));
    }
    requireNamesOf(inputs);
    return List.copyOf(result);
  }

  private static TensorSpec fix(TensorSpec input, Shape shape) {
    if (!input.shape().isRanked()) {
      return new TensorSpec(input.name(), input.type(), shape);
    }
    if (shape.rank() != input.shape().rank()) {
      throw contradiction(input, shape);
    }
    long[] dims = input.shape().toArray();
    for (int axis = 0; axis < dims.length; axis++) {
      long size = shape.dim(axis);
      if (dims[axis] >= 0 && size >= 0 && dims[axis] != size) {
        throw contradiction(input, shape);
      }
      dims[axis] = Math.max(dims[axis], size);
    }
    return new TensorSpec(input.name(), input.type(), Shape.of(dims));
  }

  private static IllegalArgumentException contradiction(TensorSpec input, Shape shape) {
    return new IllegalArgumentException(
        "input=" + input.name() + " shape=" + shape + ": the model says " + input.shape());
  }

  private void requireNamesOf(List<TensorSpec> inputs) {
    for (String name : fixed.keySet()) {
      if (inputs.stream().noneMatch(input -> input.name().equals(name))) {
        throw new IllegalArgumentException(
            "input="
                + name
                + ": the model has no such input; it has "
                + inputs.stream().map(TensorSpec::name).collect(Collectors.joining(", ")));
      }
    }
  }
}
