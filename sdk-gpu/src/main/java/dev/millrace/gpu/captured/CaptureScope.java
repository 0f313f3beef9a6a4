package dev.millrace.gpu.captured;

import dev.millrace.gpu.ffi.HipMemory;
import dev.millrace.gpu.kernel.Blas;
import dev.millrace.gpu.kernel.Kernel;
import dev.millrace.gpu.kernel.KernelArguments;
import dev.millrace.gpu.kernel.Launch;
import dev.millrace.gpu.stream.CurrentDevice;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.MemoryKind;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;

/**
 * What the body of a captured program works with. On the thread that called the body only, and only
 * until the body has returned.
 *
 * <p>Experimental: may change in any release.
 */
public final class CaptureScope {
  private static final int AS_ADDRESSES_SAY = 4;

  private final CaptureSpec spec;
  private final DeviceStream stream;
  private final long address;
  private final LaneMemory memory;
  private final Recorder recorder;
  private final boolean capturing;
  private final Thread thread = Thread.currentThread();
  private boolean over;

  CaptureScope(
      CaptureSpec spec,
      DeviceStream stream,
      LaneMemory memory,
      Recorder recorder,
      boolean capturing) {
    this.spec = spec;
    this.stream = stream;
    this.address = stream.handle().address();
    this.memory = memory;
    this.recorder = recorder;
    this.capturing = capturing;
  }

  void end() {
    over = true;
  }

  private void checkUsable(String act) {
    if (over || Thread.currentThread() != thread) {
      throw new IllegalStateException(
          act
              + " of "
              + spec
              + ": expected on thread="
              + thread.getName()
              + " until the body ends");
    }
  }

  /**
   * The stream on which the body enqueues; the handles of the context look at it.
   *
   * @return the stream, which is the lane's
   */
  public DeviceStream stream() {
    checkUsable("take the stream");
    return stream;
  }

  /**
   * The memory of an input or output.
   *
   * @param name its name in the specification
   * @return the lane's tensor; of what is repointed its address changes with each run
   * @throws IllegalArgumentException if there is none of that name
   */
  public Tensor tensor(String name) {
    checkUsable("take a tensor");
    Objects.requireNonNull(name, "name");
    List<String> names = spec.slots().map(slot -> slot.spec().name()).toList();
    int index = names.indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException(
          "tensor=" + name + " of " + spec + ": expected one of " + String.join(", ", names));
    }
    return memory.buffers()[index];
  }

  /**
   * Memory for what the body needs in between. It is the lane's: the body does not close it.
   *
   * @param type its element type
   * @param shape its shape, every dimension known
   * @return the tensor; its content is undefined
   * @throws IllegalStateException if the body asks for another one than in its warm-up
   */
  public Tensor scratch(DataType type, Shape shape) {
    checkUsable("take scratch");
    return memory.scratch(type, shape);
  }

  /**
   * A rocBLAS handle of the lane's own, which looks at the scope's stream.
   *
   * @return the handle, which the body does not close
   * @throws IllegalStateException if the body did not ask for it in its warm-up
   */
  public Blas blas() {
    checkUsable("take the rocBLAS handle");
    return memory.blas();
  }

  /**
   * Enqueues a launch.
   *
   * @param kernel of a module that is open; the captured program keeps it
   * @param launch how many threads
   * @param arguments made by the kernel
   * @see Kernel#launch
   */
  public void launch(Kernel kernel, Launch launch, KernelArguments arguments) {
    checkUsable("launch " + kernel);
    kernel.launch(stream, launch, arguments);
  }

  /**
   * Enqueues a copy.
   *
   * @param from of the device
   * @param to of the device, of the same type and size
   * @throws IllegalArgumentException for tensors of other devices, or of other types or sizes
   */
  public void copy(Tensor from, Tensor to) {
    checkUsable("copy");
    checkPlace("copy", from);
    checkPlace("copy", to);
    if (from.type() != to.type() || from.byteSize() != to.byteSize()) {
      throw new IllegalArgumentException(
          "copy " + from + " to " + to + ": expected the same type and size");
    }
    long source = from.address();
    long target = to.address();
    long bytes = from.byteSize();
    keep(from, to);
    enqueue(
        "copy bytes=" + bytes,
        () -> HipMemory.memcpyAsync(target, source, bytes, AS_ADDRESSES_SAY, address),
        node -> new RepointedNode.OfCopy(node, source, target, bytes, AS_ADDRESSES_SAY));
  }

  /**
   * Enqueues a fill.
   *
   * @param to of the device
   * @param value of each byte; its lowest eight bits count
   * @throws IllegalArgumentException for a tensor of another device
   */
  public void fill(Tensor to, int value) {
    checkUsable("fill");
    checkPlace("fill", to);
    long target = to.address();
    long bytes = to.byteSize();
    int oneByte = value & 0xff;
    keep(to);
    enqueue(
        "fill bytes=" + bytes,
        () -> HipMemory.memsetAsync(target, oneByte, bytes, address),
        node -> new RepointedNode.OfFill(node, target, oneByte, bytes));
  }

  private void checkPlace(String act, Tensor tensor) {
    boolean ofDevice = tensor.device().equals(stream.device().id());
    if (!ofDevice || tensor.memory().isWrapped() || tensor.memory().kind() == MemoryKind.HOST) {
      throw new IllegalArgumentException(
          act + " " + tensor + " in " + spec + ": expected a tensor of " + stream.device().id());
    }
  }

  private void keep(Tensor... tensors) {
    for (Tensor tensor : tensors) {
      tensor.retain();
      recorder.keep(tensor::release);
    }
  }

  private void enqueue(String name, Runnable call, LongFunction<RepointedNode> node) {
    int ordinal = stream.device().id().ordinal();
    int former = CurrentDevice.enter(ordinal);
    try {
      call.run();
    } finally {
      CurrentDevice.leave(former, ordinal);
    }
    if (capturing) {
      recorder.captured(name, node);
    }
  }
}
