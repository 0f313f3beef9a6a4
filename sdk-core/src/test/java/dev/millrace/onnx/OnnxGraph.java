package dev.millrace.onnx;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import dev.millrace.model.Model;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
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
    return field(11, value(name, tensorType(type, new Message())));
  }

  public OnnxGraph output(String name, int type, Object... dims) {
    return field(12, value(name, tensorType(type, shape(dims))));
  }

  /** An output of which not even the rank is stated. */
  public OnnxGraph outputOfAnyRank(String name, int type) {
    return field(12, value(name, tensorType(type, new Message())));
  }

  /** A sequence of tensors as input. */
  public OnnxGraph sequenceInput(String name, int type) {
    Message tensor = tensorType(type, new Message());
    return field(11, value(name, new Message().message(4, new Message().message(1, tensor))));
  }

  /** An optional tensor as input. */
  public OnnxGraph optionalInput(String name, int type) {
    Message tensor = tensorType(type, new Message());
    return field(11, value(name, new Message().message(9, new Message().message(1, tensor))));
  }

  public OnnxGraph node(String operator, List<String> inputs, List<String> outputs) {
    return node(operator, inputs, outputs, new Message());
  }

  /** A node with one integer attribute. */
  public OnnxGraph node(
      String operator, List<String> inputs, List<String> outputs, String attribute, long value) {
    Message message = new Message().text(1, attribute).number(3, value).number(20, 2);
    return node(operator, inputs, outputs, new Message().message(5, message));
  }

  private OnnxGraph node(
      String operator, List<String> inputs, List<String> outputs, Message attributes) {
    Message node = new Message();
    inputs.forEach(name -> node.text(1, name));
    outputs.forEach(name -> node.text(2, name));
    return field(1, node.text(4, operator).append(attributes));
  }

  private OnnxGraph field(int number, Message message) {
    graph.writeBytes(new Message().message(number, message).bytes());
    return this;
  }

  public Model toModel() {
    return Model.onnx(toBytes());
  }

  public byte[] toBytes() {
    return new Message()
        .number(1, IR_VERSION)
        .message(7, new Message().text(2, "graph").append(graph.toByteArray()))
        .message(8, new Message().text(1, "").number(2, opset))
        .bytes();
  }

  private static Message value(String name, Message type) {
    return new Message().text(1, name).message(2, type);
  }

  private static Message tensorType(int type, Message shape) {
    return new Message().message(1, new Message().number(1, type).append(shape));
  }

  private static Message shape(Object... dims) {
    Message shape = new Message();
    for (Object dim : dims) {
      shape.message(1, dimension(dim));
    }
    return new Message().message(2, shape);
  }

  private static Message dimension(Object dim) {
    return switch (dim) {
      case Number size -> new Message().number(1, size.longValue());
      case String symbol -> symbol.isEmpty() ? new Message() : new Message().text(2, symbol);
      default -> throw new IllegalArgumentException("dimension=" + dim);
    };
  }

  /** The fields of one message so far. */
  private static final class Message {
    private interface Field {
      void writeTo(CodedOutputStream out) throws IOException;
    }

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Message number(int field, long value) {
      return write(out -> out.writeInt64(field, value));
    }

    Message text(int field, String value) {
      return write(out -> out.writeString(field, value));
    }

    Message message(int field, Message value) {
      return write(out -> out.writeBytes(field, ByteString.copyFrom(value.bytes())));
    }

    Message append(Message fields) {
      return append(fields.bytes());
    }

    Message append(byte[] fields) {
      bytes.writeBytes(fields);
      return this;
    }

    byte[] bytes() {
      return bytes.toByteArray();
    }

    private Message write(Field field) {
      try {
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        field.writeTo(out);
        out.flush();
        return this;
      } catch (IOException e) {
        throw new UncheckedIOException("an array that cannot be written", e);
      }
    }
  }
}
