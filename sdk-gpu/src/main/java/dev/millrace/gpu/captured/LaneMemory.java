package dev.millrace.gpu.captured;

import dev.millrace.error.DeviceException;
import dev.millrace.gpu.kernel.Blas;
import dev.millrace.handle.StreamHandle;
import dev.millrace.stream.Device;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import dev.millrace.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a lane owns on the device: a buffer for each input and output, the body's scratch, a library
 * handle. The body asks for scratch and handle in its warm-up; when it is captured it gets the same
 * ones again, in the order in which it asks.
 */
final class LaneMemory implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.millrace.gpu.captured");

  private final Device device;
  private final CaptureSpec spec;
  private final Tensor[] buffers;
  private final List<Tensor> scratch = new ArrayList<>();
  private @Nullable Blas blas;
  private @Nullable StreamHandle stream;
  private int handedOut;

  /** Whether what is asked for is made; else it was asked for in the warm-up. */
  private boolean warmingUp = true;

  LaneMemory(Device device, CaptureSpec spec) {
    this.device = device;
    this.spec = spec;
    List<TensorSpec> specs = spec.slots().map(CaptureSpec.Slot::spec).toList();
    List<Tensor> made = new ArrayList<>();
    try {
      for (TensorSpec one : specs) {
        made.add(device.allocate(one.type(), one.shape()));
      }
    } catch (RuntimeException | Error e) {
      made.forEach(Tensor::close);
      throw e;
    }
    this.buffers = made.toArray(Tensor[]::new);
  }

  /** One a slot: inputs, then outputs. */
  Tensor[] buffers() {
    return buffers;
  }

  Tensor scratch(DataType type, Shape shape) {
    if (warmingUp) {
      Tensor made = device.allocate(type, shape);
      scratch.add(made);
      return made;
    }
    Tensor before = handedOut < scratch.size() ? scratch.get(handedOut) : null;
    if (before == null || before.type() != type || !before.shape().equals(shape)) {
      throw new IllegalStateException(
          "scratch="
              + handedOut
              + " of "
              + spec
              + ": asked for "
              + type
              + " "
              + shape
              + " when captured, and in the warm-up for "
              + (before == null ? "no more" : before.toString()));
    }
    handedOut++;
    return before;
  }

  Blas blas() {
    Blas made = blas;
    if (made == null) {
      if (!warmingUp) {
        throw new IllegalStateException(
            "blas of " + spec + ": asked for when captured, and not in the warm-up");
      }
      made = Blas.create(device);
      blas = made;
      made.setStream(Objects.requireNonNull(stream, "stream"));
    }
    return made;
  }

  /** Where the handle looks. */
  void lookAt(StreamHandle target) {
    stream = target;
    if (blas != null) {
      blas.setStream(target);
    }
  }

  /** The body is captured from now on, on that stream. */
  void warm(StreamHandle captured) {
    lookAt(captured);
    warmingUp = false;
  }

  long bytes() {
    long bytes = blas == null ? 0 : Blas.DEFAULT_WORKSPACE_BYTES;
    for (Tensor buffer : buffers) {
      bytes += buffer.byteSize();
    }
    for (Tensor one : scratch) {
      bytes += one.byteSize();
    }
    return bytes;
  }

  @Override
  public void close() {
    Blas made = blas;
    if (made != null) {
      leaveStream(made);
      made.close();
    }
    scratch.forEach(Tensor::close);
    for (Tensor buffer : buffers) {
      buffer.close();
    }
  }

  /** rocBLAS asks the stream of a handle, which is gone soon. */
  private static void leaveStream(Blas blas) {
    try {
      blas.setStream(new StreamHandle(blas.device().id(), 0));
    } catch (DeviceException e) {
      LOG.log(System.Logger.Level.WARNING, "close " + blas, e);
    }
  }
}
