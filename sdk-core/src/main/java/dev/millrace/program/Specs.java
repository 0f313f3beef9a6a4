package dev.millrace.program;

import dev.millrace.handle.DeviceId;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import dev.millrace.tensor.TensorSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a program expects, held against what it is given. */
final class Specs {
  private Specs() {}

  static int indexOf(List<TensorSpec> specs, String name, String role, Object program) {
    Objects.requireNonNull(name, "name");
    for (int i = 0; i < specs.size(); i++) {
      if (specs.get(i).name().equals(name)) {
        return i;
      }
    }
    String known = specs.stream().map(TensorSpec::name).collect(Collectors.joining(", "));
    throw new IllegalArgumentException(
        role + "=" + name + " of " + program + ": expected one of " + known);
  }

  static TensorSpec at(List<TensorSpec> specs, int index, String role, Object program) {
    if (index < 0 || index >= specs.size()) {
      throw new IllegalArgumentException(
          role + "=" + index + " of " + program + ": expected 0 to " + (specs.size() - 1));
    }
    return specs.get(index);
  }

  /** Refuses a tensor of another type, shape or device; a pending one has no shape yet. */
  static void check(TensorSpec spec, Tensor tensor, DeviceId device, String role, Object program) {
    String given = role + "=" + spec.name() + " of " + program + ": given " + tensor;
    if (tensor.type() != spec.type()) {
      throw new IllegalArgumentException(given + ", expected type=" + spec.type());
    }
    if (!tensor.isPending()) {
      checkPlace(tensor, device, given);
      if (!spec.shape().accepts(tensor.shape())) {
        throw new IllegalArgumentException(given + ", expected shape=" + spec.shape());
      }
    } else if (!tensor.device().equals(device)) {
      throw new IllegalArgumentException(given + ", expected device=" + device);
    }
  }

  private static void checkPlace(Tensor tensor, DeviceId device, String given) {
    if (!tensor.memory().isWrapped() && !tensor.device().equals(device)) {
      throw new IllegalArgumentException(given + ", expected device=" + device);
    }
  }

  /** The inputs of a loaded program with the shapes that the caller fixed. */
  static List<TensorSpec> withShapes(
      List<TensorSpec> specs, Map<String, Shape> shapes, Object program) {
    shapes.keySet().forEach(name -> indexOf(specs, name, "input", program));
    return specs.stream().map(spec -> withShape(spec, shapes.get(spec.name()), program)).toList();
  }

  private static TensorSpec withShape(TensorSpec spec, @Nullable Shape shape, Object program) {
    if (shape == null) {
      return spec;
    }
    if (!spec.shape().accepts(shape)) {
      throw new IllegalArgumentException(
          "input="
              + spec.name()
              + " of "
              + program
              + ": shape="
              + shape
              + ", expected "
              + spec.shape());
    }
    return new TensorSpec(spec.name(), spec.type(), shape);
  }
}
