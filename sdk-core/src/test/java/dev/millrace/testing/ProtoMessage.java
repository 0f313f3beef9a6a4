package dev.millrace.testing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * One Protocol Buffers message in the wire format. By hand, since whoever inherits the suite shall
 * need no library for it.
 */
final class ProtoMessage {
  private static final int LENGTH_DELIMITED = 2;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  ProtoMessage number(int field, long value) {
    varint((long) field << 3);
    varint(value);
    return this;
  }

  ProtoMessage text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  ProtoMessage message(int field, ProtoMessage value) {
    return bytes(field, value.toByteArray());
  }

  ProtoMessage append(byte[] fields) {
    out.writeBytes(fields);
    return this;
  }

  private ProtoMessage bytes(int field, byte[] value) {
    varint((long) field << 3 | LENGTH_DELIMITED);
    varint(value.length);
    out.writeBytes(value);
    return this;
  }

  private void varint(long value) {
    long left = value;
    while ((left & ~0x7fL) != 0) {
      out.write((int) ((left & 0x7f) | 0x80));
      left >>>= 7;
    }
    out.write((int) left);
  }

  byte[] toByteArray() {
    return out.toByteArray();
  }
}
