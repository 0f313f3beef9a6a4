package dev.millrace.host;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import dev.millrace.spi.DeviceDriver;
import dev.millrace.tensor.DeviceMemory;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Our memory as ONNX Runtime's values, and its values in our memory. */
final class OnnxValues {
  /** What the binding takes at most; a ByteBuffer's size is an {@code int}. */
  static final long MAX_BYTES = Integer.MAX_VALUE - 8;

  private OnnxValues() {}

  /**
   * Describes a tensor to ONNX Runtime; nothing is copied.
   *
   * @param subject what messages call it, as {@code input=name}
   * @param memory the tensor's, which its holder may see even after the tensor was closed
   * @throws IllegalArgumentException if it is larger than the binding can take
   */
  static OnnxTensor over(String subject, Tensor tensor, DeviceMemory memory) throws OrtException {
    Shape shape = tensor.shape();
    long bytes = tensor.type().byteSize(shape.elements());
    if (bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          subject
              + " shape="
              + shape
              + " bytes="
              + bytes
              + ": ONNX Runtime's Java binding takes a tensor as a ByteBuffer, of at most "
              + MAX_BYTES
              + " bytes");
    }
    ByteBuffer buffer =
        memory.segment().asSlice(0, bytes).asByteBuffer().order(ByteOrder.nativeOrder());
    return OnnxTensor.createTensor(
        OrtEnvironment.getEnvironment(),
        buffer,
        shape.toArray(),
        OnnxTypes.toBinding(tensor.type()));
  }

  /** As {@link #over}, for a tensor that ONNX Runtime fills; it would not ask before it writes. */
  static OnnxTensor writable(String subject, Tensor tensor, DeviceMemory memory)
      throws OrtException {
    if (memory.segment().isReadOnly()) {
      throw new IllegalArgumentException(subject + ": its memory is read-only");
    }
    return over(subject, tensor, memory);
  }

  /** Gives a pending tensor what ONNX Runtime computed. The binding itself copies it once more. */
  static void resolve(Tensor pending, OnnxTensor value, DeviceDriver driver) {
    MemorySegment computed = MemorySegment.ofBuffer(value.getByteBuffer());
    Shape shape = Shape.of(value.getInfo().getShape());
    DeviceMemory memory = driver.allocate(computed.byteSize(), driver.tensorKind());
    try {
      memory.segment().asSlice(0, computed.byteSize()).copyFrom(computed);
      pending.resolve(memory, shape);
    } catch (RuntimeException e) {
      memory.release();
      throw e;
    }
  }
}
