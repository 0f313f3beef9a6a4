package dev.millrace.testing;

import dev.millrace.model.Model;
import java.io.ByteArrayOutputStream;
import java.util.List;

/**
 * Writes small ONNX models for tests, messages and field numbers of {@code onnx.proto}. Dimensions
 * are {@code Integer} or {@code Long} sizes, {@code String} symbols, or {@link #UNKNOWN}.
 */
public final class OnnxGraph {
  /** A dimension of which the model says nothing. */
  public static final Object UNKNOWN = "";

  private static final int IR_VERSION = 8;

  private final ByteArrayOutputStream graph = new ByteArrayOutputStream();
  private long opset = 13;

  /** A model of one node with one input and one output, of the same type and shape. */
  public static Model oneNode(String operator, int type, Object... dims) {
    return new OnnxGraph()
        .input("x", type, dims)
        .node(operator, List.of("x"), List.of("y"))
        .output("y", type, dims)
        .toModel();
  }

  /** The version of the operators; 13 if not said. */
  public OnnxGraph opset(long version) {
    opset = version;
    return this;
  }

  public OnnxGraph input(String name, int type, Object... dims) {
    return field(11, value(name, tensorType(type, shape(dims))));
  }

  /** An input of which not even the rank is stated. */
  public OnnxGraph inputOfAnyRank(String name, int type) {
    return field(11, value(name, tensorType(type, new ProtoMessage())));
  }

  public OnnxGraph output(String name, int type, Object... dims) {
    return field(12, value(name, tensorType(type, shape(dims))));
  }

  /** An output of which not even the rank is stated. */
  public OnnxGraph outputOfAnyRank(String name, int type) {
    return field(12, value(name, tensorType(type, new ProtoMessage())));
  }

  /** A sequence of tensors as input. */
  public OnnxGraph sequenceInput(String name, int type) {
    ProtoMessage tensor = tensorType(type, new ProtoMessage());
    return field(
        11, value(name, new ProtoMessage().message(4, new ProtoMessage().message(1, tensor))));
  }

  /** An optional tensor as input. */
  public OnnxGraph optionalInput(String name, int type) {
    ProtoMessage tensor = tensorType(type, new ProtoMessage());
    return field(
        11, value(name, new ProtoMessage().message(9, new ProtoMessage().message(1, tensor))));
  }

  public OnnxGraph node(String operator, List<String> inputs, List<String> outputs) {
    return node(operator, inputs, outputs, new ProtoMessage());
  }

  /** A node with one integer attribute. */
  public OnnxGraph node(
      String operator, List<String> inputs, List<String> outputs, String attribute, long value) {
    ProtoMessage message = new ProtoMessage().text(1, attribute).number(3, value).number(20, 2);
    return node(operator, inputs, outputs, new ProtoMessage().message(5, message));
  }

  private OnnxGraph node(
      String operator, List<String> inputs, List<String> outputs, ProtoMessage attributes) {
    ProtoMessage node = new ProtoMessage();
    inputs.forEach(name -> node.text(1, name));
    outputs.forEach(name -> node.text(2, name));
    return field(1, node.text(4, operator).append(attributes.toByteArray()));
  }

  private OnnxGraph field(int number, ProtoMessage message) {
    graph.writeBytes(new ProtoMessage().message(number, message).toByteArray());
    return this;
  }

  public Model toModel() {
    return Model.onnx(toBytes());
  }

  public byte[] toBytes() {
    return new ProtoMessage()
        .number(1, IR_VERSION)
        .message(7, new ProtoMessage().text(2, "graph").append(graph.toByteArray()))
        .message(8, new ProtoMessage().text(1, "").number(2, opset))
        .toByteArray();
  }

  private static ProtoMessage value(String name, ProtoMessage type) {
    return new ProtoMessage().text(1, name).message(2, type);
  }

  private static ProtoMessage tensorType(int type, ProtoMessage shape) {
    return new ProtoMessage()
        .message(1, new ProtoMessage().number(1, type).append(shape.toByteArray()));
  }

  private static ProtoMessage shape(Object... dims) {
    ProtoMessage shape = new ProtoMessage();
    for (Object dim : dims) {
      shape.message(1, dimension(dim));
    }
    return new ProtoMessage().message(2, shape);
  }

  private static ProtoMessage dimension(Object dim) {
    return switch (dim) {
      case Number size -> new ProtoMessage().number(1, size.longValue());
      case String symbol ->
          symbol.isEmpty() ? new ProtoMessage() : new ProtoMessage().text(2, symbol);
      default -> throw new IllegalArgumentException("dimension=" + dim);
    };
  }
}
