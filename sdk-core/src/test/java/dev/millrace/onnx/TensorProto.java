package dev.millrace.onnx;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A tensor as ONNX stores it, with its elements brought into memory layout (little-endian) whatever
 * field of {@code onnx.proto}'s TensorProto holds them.
 *
 * @param name may be empty
 * @param elements as many bytes as type and shape need
 */
record TensorProto(String name, DataType type, Shape shape, MemorySegment elements) {

  static TensorProto read(byte[] message) throws IOException {
    Fields fields = new Fields();
    CodedInputStream in = CodedInputStream.newInstance(message);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      fields.read(in, tag);
    }
    return fields.toTensor();
  }

  /** What of a TensorProto has been read so far. */
  private static final class Fields {
    private static final int DIMS = 1;
    private static final int DATA_TYPE = 2;
    private static final int FLOAT_DATA = 4;
    private static final int INT32_DATA = 5;
    private static final int INT64_DATA = 7;
    private static final int NAME = 8;
    private static final int RAW_DATA = 9;
    private static final int DOUBLE_DATA = 10;
    private static final int UINT64_DATA = 11;

    private final List<Long> dims = new ArrayList<>();
    private final List<Long> bits = new ArrayList<>();
    private String name = "";
    private int type;
    private byte[] raw = {};

    void read(CodedInputStream in, int tag) throws IOException {
      boolean packed = WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
      switch (WireFormat.getTagFieldNumber(tag)) {
        case DIMS -> repeated(in, packed, dims, in::readInt64);
        case DATA_TYPE -> type = in.readInt32();
        case FLOAT_DATA -> repeated(in, packed, bits, () -> (long) in.readFixed32());
        case INT32_DATA -> repeated(in, packed, bits, () -> (long) in.readInt32());
        case INT64_DATA -> repeated(in, packed, bits, in::readInt64);
        case NAME -> name = in.readString();
        case RAW_DATA -> raw = in.readByteArray();
        case DOUBLE_DATA -> repeated(in, packed, bits, in::readFixed64);
        case UINT64_DATA -> repeated(in, packed, bits, in::readUInt64);
        default -> in.skipField(tag);
      }
    }

    private interface Value {
      long read() throws IOException;
    }

    private static void repeated(CodedInputStream in, boolean packed, List<Long> to, Value value)
        throws IOException {
      if (!packed) {
        to.add(value.read());
        return;
      }
      int limit = in.pushLimit(in.readRawVarint32());
      while (in.getBytesUntilLimit() > 0) {
        to.add(value.read());
      }
      in.popLimit(limit);
    }

    TensorProto toTensor() {
      DataType element = DataType.fromOnnx(type);
      Shape shape = Shape.of(dims.stream().mapToLong(Long::longValue).toArray());
      int size = Math.toIntExact(element.byteSize(shape.elements()));
      byte[] elements = bits.isEmpty() ? raw : layOut(element, size);
      if (elements.length != size) {
        throw new IllegalArgumentException(
            name
                + " "
                + element
                + " "
                + shape
                + ": bytes="
                + elements.length
                + ", expected "
                + size);
      }
      return new TensorProto(name, element, shape, MemorySegment.ofArray(elements));
    }

    // A number of a typed field is one element, or the packed byte of several small ones; complex
    // numbers take two.
    private byte[] layOut(DataType element, int size) {
      ByteBuffer out = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
      int width = Math.max(1, size / bits.size());
      for (long value : bits) {
        switch (width) {
          case 1 -> out.put((byte) value);
          case 2 -> out.putShort((short) value);
          case 4 -> out.putInt((int) value);
          case 8 -> out.putLong(value);
          default -> throw new IllegalArgumentException(element + " of " + width + " bytes");
        }
      }
      return out.array();
    }
  }
}
