package dev.millrace.tensor;

import dev.millrace.handle.DeviceId;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/** Memory that the application brought along. The segment keeps a buffer or an automatic arena. */
final class WrappedMemory extends DeviceMemory {
  private static final DeviceId HOST = new DeviceId("host", 0);
  // Not the thread that confines any arena: whatever this thread may touch, every thread may.
  private static final Thread STRANGER = Thread.ofPlatform().unstarted(() -> {});

  private final MemorySegment segment;

  private WrappedMemory(MemorySegment segment) {
    super(HOST, MemoryKind.HOST, segment.address(), segment.byteSize());
    this.segment = segment;
  }

  static WrappedMemory of(MemorySegment segment, DataType type, Shape shape) {
    String subject = "wrap bytes=" + segment.byteSize() + " as " + type + " " + shape;
    if (!segment.isNative()) {
      throw new IllegalArgumentException(
          subject
              + ": the memory lies on the Java heap, where no engine can reach it;"
              + " allocate a tensor and write() the values into it");
    }
    if (!segment.isAccessibleBy(STRANGER)) {
      throw new IllegalArgumentException(
          subject
              + ": only one thread may touch this arena's memory, but a stream's work runs on"
              + " another; use Arena.ofShared() or Arena.ofAuto()");
    }
    requireAlive(segment, subject);
    requireSize(segment, type, shape, subject);
    return new WrappedMemory(segment);
  }

  private static void requireAlive(MemorySegment segment, String subject) {
    if (!segment.scope().isAlive()) {
      throw new IllegalStateException(subject + ": the memory's arena is closed");
    }
  }

  private static void requireSize(
      MemorySegment segment, DataType type, Shape shape, String subject) {
    long expected = Tensor.byteSize(subject, type, shape);
    if (segment.byteSize() != expected) {
      throw new IllegalArgumentException(subject + ": expected bytes=" + expected);
    }
    int alignment = type.byteAlignment();
    if (segment.address() % alignment != 0) {
      throw new IllegalArgumentException(
          subject
              + ": address=0x"
              + Long.toHexString(segment.address())
              + " is not a multiple of "
              + alignment);
    }
  }

  /** The memory from a buffer's position to its limit. */
  static MemorySegment segmentOf(Buffer buffer, DataType type) {
    if (!buffer.isDirect()) {
      throw new IllegalArgumentException(
          "wrap buffer="
              + buffer
              + ": it lies on the Java heap, where no engine can reach it;"
              + " allocate a tensor and write() the values into it");
    }
    if (type.byteAlignment() > 1 && order(buffer) != ByteOrder.nativeOrder()) {
      throw new IllegalArgumentException(
          "wrap buffer="
              + buffer
              + ": its byte order is "
              + order(buffer)
              + ", expected "
              + ByteOrder.nativeOrder()
              + " (ByteBuffer.order(ByteOrder.nativeOrder()))");
    }
    return MemorySegment.ofBuffer(buffer);
  }

  static DataType typeOf(Buffer buffer) {
    return switch (buffer) {
      case ByteBuffer _ -> DataType.INT8;
      case ShortBuffer _ -> DataType.INT16;
      case IntBuffer _ -> DataType.INT32;
      case LongBuffer _ -> DataType.INT64;
      case FloatBuffer _ -> DataType.FLOAT;
      case DoubleBuffer _ -> DataType.DOUBLE;
      default ->
          throw new IllegalArgumentException(
              "wrap buffer=" + buffer + ": no element type is made of chars");
    };
  }

  private static ByteOrder order(Buffer buffer) {
    return switch (buffer) {
      case ByteBuffer bytes -> bytes.order();
      case ShortBuffer shorts -> shorts.order();
      case IntBuffer ints -> ints.order();
      case LongBuffer longs -> longs.order();
      case FloatBuffer floats -> floats.order();
      case DoubleBuffer doubles -> doubles.order();
      default -> ByteOrder.nativeOrder();
    };
  }

  @Override
  protected void free() {
    // It belongs to the application.
  }

  @Override
  public MemorySegment segment() {
    return segment;
  }

  @Override
  public boolean isWrapped() {
    return true;
  }

  @Override
  public boolean isAlive() {
    return segment.scope().isAlive();
  }
}
