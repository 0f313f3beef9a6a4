package dev.millrace.gpu.kernel;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads MessagePack, value after value, and refuses whatever does not stand inside its buffer. The
 * numbers are those of the format's public specification.
 */
final class MessagePack {
  private final ByteBuffer bytes;

  MessagePack(ByteBuffer bytes) {
    this.bytes = bytes.slice().order(ByteOrder.BIG_ENDIAN);
  }

  /** Bytes that are not what they should be; the caller says of what. */
  static final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;

    Malformed(String message) {
      super(message);
    }
  }

  /** The number of entries of a map, which follow: key, value, key, value. */
  int map() throws Malformed {
    int at = bytes.position();
    int tag = tag();
    long entries =
        switch (tag) {
          case 0xde -> unsigned(2);
          case 0xdf -> unsigned(4);
          default -> inTag(tag, 0x80, 0x0f, "a map", at);
        };
    return fitting(entries, 2, at);
  }

  /** The number of elements of an array, which follow. */
  int array() throws Malformed {
    int at = bytes.position();
    int tag = tag();
    long elements =
        switch (tag) {
          case 0xdc -> unsigned(2);
          case 0xdd -> unsigned(4);
          default -> inTag(tag, 0x90, 0x0f, "an array", at);
        };
    return fitting(elements, 1, at);
  }

  String text() throws Malformed {
    int at = bytes.position();
    int tag = tag();
    long length =
        switch (tag) {
          case 0xd9 -> unsigned(1);
          case 0xda -> unsigned(2);
          case 0xdb -> unsigned(4);
          default -> inTag(tag, 0xa0, 0x1f, "a text", at);
        };
    ByteBuffer characters = bytes.slice(bytes.position(), fitting(length, 1, at));
    advance(length);
    try {
      CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(characters);
      return text.toString();
    } catch (CharacterCodingException e) {
      throw new Malformed("offset=" + at + ": a text that is not UTF-8");
    }
  }

  /** A number from 0 to 2^31 - 1: sizes and offsets are no larger. */
  int number() throws Malformed {
    int at = bytes.position();
    int tag = tag();
    long value =
        switch (tag) {
          case 0xcc -> unsigned(1);
          case 0xcd -> unsigned(2);
          case 0xce -> unsigned(4);
          case 0xcf -> unsigned(8);
          case 0xd0 -> bytes(1).get();
          case 0xd1 -> bytes(2).getShort();
          case 0xd2 -> bytes(4).getInt();
          case 0xd3 -> bytes(8).getLong();
          default -> inTag(tag, 0x00, 0x7f, "a number", at);
        };
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw new Malformed("offset=" + at + ": number=" + Long.toUnsignedString(value));
    }
    return (int) value;
  }

  /** Passes over one value, with all that is in it. */
  void skip() throws Malformed {
    for (long left = 1; left > 0; left--) {
      left += skipHead();
    }
  }

  /** Passes over a value's head, or all of a scalar; the number of values that belong to it. */
  private long skipHead() throws Malformed {
    int at = bytes.position();
    int tag = tag();
    if (tag <= 0x7f || tag >= 0xe0 || tag == 0xc0 || tag == 0xc2 || tag == 0xc3) {
      return 0;
    }
    if (tag <= 0x8f || tag == 0xde || tag == 0xdf) {
      bytes.position(at);
      return 2L * map();
    }
    if (tag <= 0x9f || tag == 0xdc || tag == 0xdd) {
      bytes.position(at);
      return array();
    }
    advance(fitting(scalarLength(tag, at), 1, at));
    return 0;
  }

  private long scalarLength(int tag, int at) throws Malformed {
    return switch (tag) {
      case 0xc4, 0xd9 -> unsigned(1);
      case 0xc5, 0xda -> unsigned(2);
      case 0xc6, 0xdb -> unsigned(4);
      case 0xc7 -> unsigned(1) + 1;
      case 0xc8 -> unsigned(2) + 1;
      case 0xc9 -> unsigned(4) + 1;
      case 0xcc, 0xd0 -> 1;
      case 0xcd, 0xd1 -> 2;
      case 0xca, 0xce, 0xd2 -> 4;
      case 0xcb, 0xcf, 0xd3 -> 8;
      case 0xd4, 0xd5, 0xd6, 0xd7, 0xd8 -> (1L << (tag - 0xd4)) + 1;
      default -> inTag(tag, 0xa0, 0x1f, "a value", at);
    };
  }

  private static long inTag(int tag, int base, int mask, String expected, int at) throws Malformed {
    if ((tag & ~mask) != base) {
      throw new Malformed(
          "offset=" + at + ": tag=0x" + Integer.toHexString(tag) + ", expected " + expected);
    }
    return tag & mask;
  }

  private int tag() throws Malformed {
    return bytes(1).get() & 0xff;
  }

  /** The values in order; a negative one is larger than any size. */
  private long unsigned(int width) throws Malformed {
    ByteBuffer from = bytes(width);
    return switch (width) {
      case 1 -> from.get() & 0xffL;
      case 2 -> from.getShort() & 0xffffL;
      case 4 -> from.getInt() & 0xffff_ffffL;
      default -> from.getLong();
    };
  }

  private ByteBuffer bytes(int count) throws Malformed {
    fitting(count, 1, bytes.position());
    return bytes;
  }

  /** Each thing takes a byte or more: a count that cannot be there is found before it is used. */
  private int fitting(long count, int each, int at) throws Malformed {
    if (count < 0 || count * each > bytes.remaining()) {
      throw new Malformed(
          "offset=" + at + ": " + count + " things, and " + bytes.remaining() + " bytes are left");
    }
    return (int) count;
  }

  private void advance(long count) throws Malformed {
    try {
      bytes.position(Math.toIntExact(bytes.position() + count));
    } catch (IllegalArgumentException | ArithmeticException | BufferUnderflowException e) {
      throw new Malformed("offset=" + bytes.position() + ": " + e.getMessage());
    }
  }
}
