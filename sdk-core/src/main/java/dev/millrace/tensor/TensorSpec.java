package dev.millrace.tensor;

import java.util.Objects;

/**
 * What a program says of one of its inputs or outputs.
 *
 * @param name its name in the model
 * @param type its element type
 * @param shape its shape, with -1 where a dimension may vary
 */
public record TensorSpec(String name, DataType type, Shape shape) {

  /** Checks that every part is there. */
  public TensorSpec {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(shape, "shape");
  }

  @Override
  public String toString() {
    return name + " " + type + " " + shape;
  }
}
