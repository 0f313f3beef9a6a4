package dev.millrace.tensor;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The ONNX element types that have a memory layout. Names and numbers are those of {@code
 * TensorProto.DataType} in ONNX 1.20's {@code onnx.proto}; strings have no fixed size and are not
 * among them. Elements are stored in the byte order of the machine, row-major. Types of fewer than
 * eight bits are packed, the first element in the lowest bits of a byte.
 */
public enum DataType {
  /** IEEE 754 single precision. */
  FLOAT(1, 32),
  /** Unsigned, 8 bits. */
  UINT8(2, 8),
  /** Signed, 8 bits. */
  INT8(3, 8),
  /** Unsigned, 16 bits. */
  UINT16(4, 16),
  /** Signed, 16 bits. */
  INT16(5, 16),
  /** Signed, 32 bits. */
  INT32(6, 32),
  /** Signed, 64 bits. */
  INT64(7, 64),
  /** One byte, 0 or 1. */
  BOOL(9, 8),
  /** IEEE 754 half precision: 5 bits of exponent, 10 of fraction. */
  FLOAT16(10, 16),
  /** IEEE 754 double precision. */
  DOUBLE(11, 64),
  /** Unsigned, 32 bits. */
  UINT32(12, 32),
  /** Unsigned, 64 bits. */
  UINT64(13, 64),
  /** Two {@link #FLOAT}, the real part first. */
  COMPLEX64(14, 64),
  /** Two {@link #DOUBLE}, the real part first. */
  COMPLEX128(15, 128),
  /** The upper half of a single: 8 bits of exponent, 7 of fraction. */
  BFLOAT16(16, 16),
  /** 4 bits of exponent, 3 of fraction, NaN but no infinity. */
  FLOAT8E4M3FN(17, 8),
  /** As {@link #FLOAT8E4M3FN}, without a negative zero. */
  FLOAT8E4M3FNUZ(18, 8),
  /** 5 bits of exponent, 2 of fraction, with NaN and infinity. */
  FLOAT8E5M2(19, 8),
  /** 5 bits of exponent, 2 of fraction, NaN, neither infinity nor a negative zero. */
  FLOAT8E5M2FNUZ(20, 8),
  /** Unsigned, 4 bits, two a byte. */
  UINT4(21, 4),
  /** Signed, 4 bits, two a byte. */
  INT4(22, 4),
  /** 2 bits of exponent, 1 of fraction, two a byte. */
  FLOAT4E2M1(23, 4),
  /** A power of two: the scale of a block in the OCP microscaling formats. */
  FLOAT8E8M0(24, 8),
  /** Unsigned, 2 bits, four a byte. */
  UINT2(25, 2),
  /** Signed, 2 bits, four a byte. */
  INT2(26, 2);

  private static final int UNDEFINED_NUMBER = 0;
  private static final int STRING_NUMBER = 8;

  private final int onnx;
  private final int bits;

  DataType(int onnx, int bits) {
    this.onnx = onnx;
    this.bits = bits;
  }

  /**
   * The type of an ONNX number.
   *
   * @param number a value of {@code TensorProto.DataType}
   * @return the type
   * @throws IllegalArgumentException if the number is unknown, or is that of a type without a
   *     memory layout
   */
  public static DataType fromOnnx(int number) {
    for (DataType type : values()) {
      if (type.onnx == number) {
        return type;
      }
    }
    throw new IllegalArgumentException("ONNX element type=" + number + ": " + refusal(number));
  }

  private static String refusal(int number) {
    return switch (number) {
      case UNDEFINED_NUMBER -> "UNDEFINED says that the model does not name a type";
      case STRING_NUMBER -> "STRING has no memory layout, so no tensor can hold it";
      default ->
          Arrays.stream(values())
              .map(type -> type.onnx + "=" + type)
              .collect(Collectors.joining(", ", "expected one of ", ""));
    };
  }

  /**
   * The number that ONNX gives this type.
   *
   * @return the value in {@code TensorProto.DataType}
   */
  public int onnx() {
    return onnx;
  }

  /**
   * The size of one element.
   *
   * @return bits
   */
  public int bits() {
    return bits;
  }

  /**
   * Whether this is a real floating-point type, of whatever size.
   *
   * @return false for integers, bool and complex types
   */
  public boolean isFloat() {
    return switch (this) {
      case FLOAT, DOUBLE, FLOAT16, BFLOAT16, FLOAT4E2M1 -> true;
      case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0 -> true;
      default -> false;
    };
  }

  /**
   * The size of so many elements in a row.
   *
   * @param elements how many, 0 or more
   * @return bytes, the last one perhaps filled in part
   * @throws IllegalArgumentException if the number is negative, or the size exceeds a {@code long}
   */
  public long byteSize(long elements) {
    if (elements < 0) {
      throw new IllegalArgumentException("elements=" + elements + ": expected 0 or more");
    }
    if (bits < Byte.SIZE) {
      return Math.ceilDiv(elements, Byte.SIZE / bits);
    }
    int bytes = bits / Byte.SIZE;
    if (elements > Long.MAX_VALUE / bytes) {
      throw new IllegalArgumentException(
          "size of elements=" + elements + " type=" + this + " exceeds 2^63 - 1 bytes");
    }
    return elements * bytes;
  }

  /**
   * The alignment that a C compiler gives an element.
   *
   * @return bytes: 1, 2, 4 or 8
   */
  public int byteAlignment() {
    return Math.clamp(bits / Byte.SIZE, 1, Long.BYTES);
  }
}
