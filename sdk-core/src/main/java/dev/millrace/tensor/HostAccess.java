package dev.millrace.tensor;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/** Checks a copy between the host and a tensor, and holds the memory while it runs. */
final class HostAccess {
  private static final String WRITE = "write";
  private static final String READ = "read";

  private HostAccess() {}

  static void write(Tensor tensor, Carrier carrier, int length, Consumer<MemorySegment> copy) {
    TensorContent.Ready content = writable(tensor);
    requireCarrier(WRITE, tensor, carrier);
    long expected = Carrier.length(tensor.type(), content.shape());
    if (length != expected) {
      throw new IllegalArgumentException(
          "write tensor=" + tensor + ": length=" + length + ", expected " + expected);
    }
    transfer(WRITE, tensor, copy);
  }

  static void write(Tensor tensor, MemorySegment bytes) {
    requireBytes(WRITE, tensor, bytes, writable(tensor));
    transfer(WRITE, tensor, to -> to.copyFrom(bytes));
  }

  static int lengthToRead(Tensor tensor, Carrier carrier) {
    TensorContent.Ready content = reachable(READ, tensor);
    requireCarrier(READ, tensor, carrier);
    long length = Carrier.length(tensor.type(), content.shape());
    if (!Carrier.fitsArray(length)) {
      throw new UnsupportedOperationException(
          "read tensor=" + tensor + ": length=" + length + " exceeds a Java array; use segment()");
    }
    return (int) length;
  }

  static void read(Tensor tensor, Consumer<MemorySegment> copy) {
    transfer(READ, tensor, copy);
  }

  static void read(Tensor tensor, MemorySegment bytes) {
    requireBytes(READ, tensor, bytes, reachable(READ, tensor));
    transfer(READ, tensor, bytes::copyFrom);
  }

  /** The tensor's part of a block that may be larger. */
  static MemorySegment slice(TensorContent.Ready content) {
    MemorySegment segment = content.memory().segment();
    long bytes = content.byteSize();
    return segment.byteSize() == bytes ? segment : segment.asSlice(0, bytes);
  }

  // Holds the memory, so that a close on another thread does not free it under the copy.
  private static void transfer(String act, Tensor tensor, Consumer<MemorySegment> copy) {
    tensor.hold(act);
    try {
      copy.accept(slice(tensor.known(act)));
    } finally {
      tensor.release();
    }
  }

  private static TensorContent.Ready reachable(String act, Tensor tensor) {
    TensorContent.Ready content = tensor.open(act);
    if (!content.memory().kind().isHostReadable()) {
      throw new UnsupportedOperationException(
          act
              + " tensor="
              + tensor
              + ": it is in device memory, which the host does not reach;"
              + " copy it on a stream from or to a tensor in host memory");
    }
    return content;
  }

  private static TensorContent.Ready writable(Tensor tensor) {
    TensorContent.Ready content = reachable(WRITE, tensor);
    if (content.memory().segment().isReadOnly()) {
      throw new UnsupportedOperationException(
          "write tensor=" + tensor + ": it wraps memory that is read-only");
    }
    return content;
  }

  private static void requireCarrier(String act, Tensor tensor, Carrier carrier) {
    DataType type = tensor.type();
    if (!carrier.carries(type)) {
      String expected = Carrier.choices(type);
      throw new IllegalArgumentException(
          act + " tensor=" + tensor + " as " + carrier.array() + ": expected " + expected);
    }
  }

  private static void requireBytes(
      String act, Tensor tensor, MemorySegment bytes, TensorContent.Ready content) {
    if (bytes.byteSize() != content.byteSize()) {
      throw new IllegalArgumentException(
          act
              + " tensor="
              + tensor
              + ": bytes="
              + bytes.byteSize()
              + ", expected "
              + content.byteSize());
    }
  }
}
