package dev.millrace.profiler.launch;

import dev.millrace.tensor.Shape;
import dev.millrace.tensor.TensorSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Gives each input a shape: that which was asked for, or one that its open dimensions suggest. */
final class InputShapes {
  private static final long BATCH = 1;
  private static final long COLOURS = 3;
  private static final long PIXELS = 224;
  private static final long ELSE = 16;
  private static final int IMAGE_RANK = 4;

  private InputShapes() {}

  static Map<String, Shape> of(List<TensorSpec> inputs, Map<String, Shape> wanted) {
    Map<String, Shape> shapes = new LinkedHashMap<>();
    for (TensorSpec input : inputs) {
      Shape asked = wanted.get(input.name());
      shapes.put(input.name(), asked == null ? suggested(input.shape()) : checked(input, asked));
    }
    TreeSet<String> strangers = new TreeSet<>(wanted.keySet());
    strangers.removeAll(shapes.keySet());
    if (!strangers.isEmpty()) {
      throw new MisuseException(
          "--shape " + strangers.first() + ": the model's inputs are " + inputs);
    }
    return shapes;
  }

  private static Shape checked(TensorSpec input, Shape asked) {
    if (!input.shape().accepts(asked)) {
      throw new MisuseException(
          "--shape " + input.name() + "=" + asked + ": the model has " + input);
    }
    return asked;
  }

  private static Shape suggested(Shape open) {
    long[] dims = open.toArray();
    for (int axis = 0; axis < dims.length; axis++) {
      dims[axis] = dims[axis] >= 0 ? dims[axis] : suggested(axis, dims.length);
    }
    return Shape.of(dims);
  }

  private static long suggested(int axis, int rank) {
    if (axis == 0) {
      return BATCH;
    }
    if (rank != IMAGE_RANK) {
      return ELSE;
    }
    return axis == 1 ? COLOURS : PIXELS;
  }
}
