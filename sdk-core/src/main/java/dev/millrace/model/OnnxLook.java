package dev.millrace.model;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the outermost fields of what should be an ONNX {@code ModelProto}, without reading what
 * they hold. Field numbers and wire types are those of {@code onnx.proto}; unknown fields are
 * skipped, as protobuf demands.
 */
final class OnnxLook {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int LENGTH_DELIMITED = 2;
  private static final int FIXED32 = 5;

  private static final int IR_VERSION = 1;
  private static final int MODEL_VERSION = 5;
  private static final int GRAPH = 7;
  private static final int OPSET_IMPORT = 8;
  private static final int METADATA_PROPS = 14;

  private static final byte[] LFS = "version https://git-lfs".getBytes(StandardCharsets.US_ASCII);

  private static final String NOT_ONNX = "it is not an ONNX model";
  private static final String TRUNCATED = "it is cut off, or is not an ONNX model";

  private final InputStream in;
  private long left;

  private OnnxLook(InputStream in, long size) {
    this.in = in;
    this.left = size;
  }

  /**
   * Looks.
   *
   * @param in a buffered stream that can go back to where it is now
   * @param size how many bytes it has
   * @return what is wrong, or null
   */
  static @Nullable String complaint(InputStream in, long size) throws IOException {
    in.mark(LFS.length);
    boolean pointer = Arrays.equals(LFS, in.readNBytes(LFS.length));
    in.reset();
    if (pointer) {
      return "it is a Git LFS pointer, not the model itself (git lfs pull fetches that)";
    }
    return new OnnxLook(in, size).fields();
  }

  private @Nullable String fields() throws IOException {
    boolean graph = false;
    try {
      while (left > 0) {
        long tag = varint();
        int field = (int) (tag >>> 3);
        int wire = (int) (tag & 7);
        if (field <= 0 || tag >>> Integer.SIZE != 0 || contradicts(field, wire)) {
          return NOT_ONNX;
        }
        graph |= field == GRAPH;
        if (!skipValue(wire)) {
          return wire == LENGTH_DELIMITED ? TRUNCATED : NOT_ONNX;
        }
      }
    } catch (EOFException e) {
      return TRUNCATED;
    }
    return graph ? null : "it has no graph, so it is cut off or not an ONNX model";
  }

  private static boolean contradicts(int field, int wire) {
    return switch (field) {
      case IR_VERSION, MODEL_VERSION -> wire != VARINT;
      case 2, 3, 4, 6, GRAPH, OPSET_IMPORT, METADATA_PROPS, 20, 25, 26 -> wire != LENGTH_DELIMITED;
      default -> false;
    };
  }

  private boolean skipValue(int wire) throws IOException {
    return switch (wire) {
      case VARINT -> {
        varint();
        yield true;
      }
      case FIXED64 -> skip(Long.BYTES);
      case FIXED32 -> skip(Integer.BYTES);
      case LENGTH_DELIMITED -> skip(varint());
      default -> false;
    };
  }

  private boolean skip(long bytes) throws IOException {
    if (bytes < 0 || bytes > left) {
      return false;
    }
    in.skipNBytes(bytes);
    left -= bytes;
    return true;
  }

  private long varint() throws IOException {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = in.read();
      if (next < 0 || left == 0) {
        throw new EOFException();
      }
      left--;
      value |= (next & 0x7FL) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new EOFException();
  }
}
