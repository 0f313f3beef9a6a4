package dev.millrace.samples.models;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The ONNX model {@code y = x + x} of four floats, so small that a run is nothing but its overhead.
 * Field numbers are those of {@code onnx.proto}; every message is shorter than 128 bytes, so that
 * its length is one byte.
 */
final class OneNode {
  private static final int IR_VERSION = 8;
  private static final int OPSET = 13;
  private static final int FLOAT = 1;
  private static final int LENGTH_DELIMITED = 2;

  private OneNode() {}

  static byte[] bytes() {
    byte[] node = join(text(1, "x"), text(1, "x"), text(2, "y"), text(4, "Add"));
    byte[] graph =
        join(
            message(1, node),
            text(2, "one node"),
            message(11, value("x")),
            message(12, value("y")));
    return join(number(1, IR_VERSION), message(8, number(2, OPSET)), message(7, graph));
  }

  private static byte[] value(String name) {
    byte[] shape = message(1, number(1, 4));
    byte[] tensor = join(number(1, FLOAT), message(2, shape));
    return join(text(1, name), message(2, message(1, tensor)));
  }

  private static byte[] text(int field, String value) {
    return message(field, value.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] number(int field, int value) {
    return new byte[] {(byte) (field << 3), (byte) value};
  }

  private static byte[] message(int field, byte[] content) {
    byte[] head = {(byte) (field << 3 | LENGTH_DELIMITED), (byte) content.length};
    return join(head, content);
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
