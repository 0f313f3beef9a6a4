package dev.millrace.tensor;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The Java arrays, and the element types that each can carry. */
enum Carrier {
  FLOATS("float[]"),
  DOUBLES("double[]"),
  LONGS("long[]"),
  INTS("int[]"),
  SHORTS("short[]"),
  BYTES("byte[]"),
  BOOLEANS("boolean[]");

  // A little less than the largest int: the largest array that a JVM promises to make.
  private static final int MAX_LENGTH = Integer.MAX_VALUE - 8;

  private final String array;

  Carrier(String array) {
    this.array = array;
  }

  /** Names the array type. */
  String array() {
    return array;
  }

  /** No array carries the complex types: two elements for one would make lengths ambiguous. */
  boolean carries(DataType type) {
    return switch (type) {
      case FLOAT -> this == FLOATS;
      case FLOAT16, BFLOAT16 -> this == FLOATS || this == SHORTS;
      case DOUBLE -> this == DOUBLES;
      case INT64, UINT64 -> this == LONGS;
      case INT32, UINT32 -> this == INTS;
      case INT16, UINT16 -> this == SHORTS;
      case INT8, UINT8, INT4, UINT4, INT2, UINT2, FLOAT4E2M1 -> this == BYTES;
      case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0 -> this == BYTES;
      case BOOL -> this == BOOLEANS;
      case COMPLEX64, COMPLEX128 -> false;
    };
  }

  /** The length of the array that holds a tensor; packed types count their bytes. */
  static long length(DataType type, Shape shape) {
    long elements = shape.elements();
    return type.bits() < Byte.SIZE ? type.byteSize(elements) : elements;
  }

  static boolean fitsArray(long length) {
    return length <= MAX_LENGTH;
  }

  /** Says what to use for a type instead. */
  static String choices(DataType type) {
    String arrays =
        Arrays.stream(values())
            .filter(carrier -> carrier.carries(type))
            .map(Carrier::array)
            .collect(Collectors.joining(" or "));
    return arrays.isEmpty() ? "a MemorySegment" : arrays;
  }
}
