package dev.millrace.host;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Walks the fields of one Protocol Buffers message, in the wire format. What is not asked for is
 * skipped without being read. A message that breaks off or is none ends in {@link
 * IndexOutOfBoundsException}.
 */
final class ProtoReader {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  private final MemorySegment message;
  private long next;
  private int field;
  private int wireType;
  private long value;
  private long start;

  ProtoReader(MemorySegment message) {
    this.message = message;
  }

  /** Moves to the next field; false at the end. */
  boolean next() {
    if (next == message.byteSize()) {
      return false;
    }
    long tag = varint();
    field = (int) (tag >>> 3);
    wireType = (int) (tag & 7);
    switch (wireType) {
      case VARINT -> value = varint();
      case FIXED64 -> skip(8);
      case BYTES -> skip(varint());
      case FIXED32 -> skip(4);
      default -> throw new IndexOutOfBoundsException("wire type " + wireType);
    }
    return true;
  }

  int field() {
    return field;
  }

  long number() {
    expect(VARINT);
    return value;
  }

  String text() {
    return new String(bytes().toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
  }

  ProtoReader message() {
    return new ProtoReader(bytes());
  }

  private MemorySegment bytes() {
    expect(BYTES);
    return message.asSlice(start, next - start);
  }

  private void expect(int type) {
    if (wireType != type) {
      throw new IndexOutOfBoundsException("field " + field + " has wire type " + wireType);
    }
  }

  private void skip(long bytes) {
    if (bytes < 0 || bytes > message.byteSize() - next) {
      throw new IndexOutOfBoundsException("field " + field + " has " + bytes + " bytes");
    }
    start = next;
    next += bytes;
  }

  private long varint() {
    long result = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      byte part = message.get(ValueLayout.JAVA_BYTE, next++);
      result |= (long) (part & 0x7f) << shift;
      if (part >= 0) {
        return result;
      }
    }
    throw new IndexOutOfBoundsException("a varint of more than ten bytes");
  }
}
