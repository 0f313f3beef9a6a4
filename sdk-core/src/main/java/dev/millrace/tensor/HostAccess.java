package dev.millrace.tensor;

import java.lang.foreign.Arena;
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
    with(WRITE, tensor, to -> fill(to, copy));
  }

  static void write(Tensor tensor, MemorySegment bytes) {
    requireBytes(WRITE, tensor, bytes, writable(tensor));
    with(WRITE, tensor, to -> to.memory().copyFromHost(bytes));
  }

  /** What the host cannot write in place it writes beside, and has it copied. */
  private static void fill(TensorContent.Ready to, Consumer<MemorySegment> copy) {
    if (to.memory().kind().isHostReadable()) {
      copy.accept(slice(to));
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment beside = arena.allocate(to.byteSize(), Long.BYTES);
      copy.accept(beside);
      to.memory().copyFromHost(beside);
    }
  }

  static int lengthToRead(Tensor tensor, Carrier carrier) {
    TensorContent.Ready content = tensor.open(READ);
    requireCarrier(READ, tensor, carrier);
    long length = Carrier.length(tensor.type(), content.shape());
    if (!Carrier.fitsArray(length)) {
      throw new UnsupportedOperationException(
          "read tensor="
              + tensor
              + ": length="
              + length
              + " exceeds a Java array; use segment() or read(MemorySegment)");
    }
    return (int) length;
  }

  static void read(Tensor tensor, Consumer<MemorySegment> copy) {
    with(READ, tensor, from -> drain(from, copy));
  }

  static void read(Tensor tensor, MemorySegment bytes) {
    requireBytes(READ, tensor, bytes, tensor.open(READ));
    with(READ, tensor, from -> from.memory().copyToHost(bytes));
  }

  private static void drain(TensorContent.Ready from, Consumer<MemorySegment> copy) {
    if (from.memory().kind().isHostReadable()) {
      copy.accept(slice(from));
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment beside = arena.allocate(from.byteSize(), Long.BYTES);
      from.memory().copyToHost(beside);
      copy.accept(beside);
    }
  }

  /** The tensor's part of a block that may be larger. */
  static MemorySegment slice(TensorContent.Ready content) {
    MemorySegment segment = content.memory().segment();
    long bytes = content.byteSize();
    return segment.byteSize() == bytes ? segment : segment.asSlice(0, bytes);
  }

  // Holds the memory, so that a close on another thread does not free it under the copy.
  private static void with(String act, Tensor tensor, Consumer<TensorContent.Ready> copy) {
    tensor.hold(act);
    try {
      copy.accept(tensor.known(act));
    } finally {
      tensor.release();
    }
  }

  private static TensorContent.Ready writable(Tensor tensor) {
    TensorContent.Ready content = tensor.open(WRITE);
    DeviceMemory memory = content.memory();
    if (memory.kind().isHostReadable() && memory.segment().isReadOnly()) {
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
