package dev.millrace.onnx;

import dev.millrace.tensor.DataType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * When a result counts as right: the rule of ONNX's own test runner, which is NumPy's {@code
 * assert_allclose}. A number may be off by {@code absolute + relative × |expected|}; equal
 * infinities agree, and so do two NaNs. Types that are no NumPy numbers (bool, bfloat16) have to be
 * equal.
 */
record Tolerance(double relative, double absolute) {
  /** What ONNX states for all of its node tests and light models. */
  static final Tolerance ONNX = new Tolerance(1e-3, 1e-7);

  /** The first difference, or nothing. */
  Optional<String> difference(TensorProto expected, TensorProto actual) {
    if (expected.type() != actual.type() || !expected.shape().equals(actual.shape())) {
      return Optional.of(
          actual.type()
              + " "
              + actual.shape()
              + ", expected "
              + expected.type()
              + " "
              + expected.shape());
    }
    ByteBuffer want = littleEndian(expected);
    ByteBuffer got = littleEndian(actual);
    for (int i = 0; i < expected.shape().elements(); i++) {
      double wanted = element(want, expected.type(), i);
      double found = element(got, expected.type(), i);
      if (!agree(expected.type(), wanted, found)) {
        return Optional.of("element " + i + " is " + found + ", expected " + wanted);
      }
    }
    return Optional.empty();
  }

  private boolean agree(DataType type, double expected, double actual) {
    if (expected == actual || (Double.isNaN(expected) && Double.isNaN(actual))) {
      return true;
    }
    boolean exact = type == DataType.BOOL || type == DataType.BFLOAT16;
    return !exact
        && Double.isFinite(expected)
        && Math.abs(actual - expected) <= absolute + relative * Math.abs(expected);
  }

  private static ByteBuffer littleEndian(TensorProto tensor) {
    return tensor.elements().asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  private static double element(ByteBuffer bytes, DataType type, int index) {
    return switch (type) {
      case FLOAT -> bytes.getFloat(4 * index);
      case DOUBLE -> bytes.getDouble(8 * index);
      case FLOAT16 -> Float.float16ToFloat(bytes.getShort(2 * index));
      case BFLOAT16 -> Float.intBitsToFloat(bytes.getShort(2 * index) << 16);
      case INT8 -> bytes.get(index);
      case UINT8 -> Byte.toUnsignedInt(bytes.get(index));
      case BOOL -> bytes.get(index) == 0 ? 0 : 1;
      case INT16 -> bytes.getShort(2 * index);
      case UINT16 -> Short.toUnsignedInt(bytes.getShort(2 * index));
      case INT32 -> bytes.getInt(4 * index);
      case UINT32 -> Integer.toUnsignedLong(bytes.getInt(4 * index));
      case INT64 -> bytes.getLong(8 * index);
      default -> throw new IllegalArgumentException("compare elements of type=" + type);
    };
  }
}
