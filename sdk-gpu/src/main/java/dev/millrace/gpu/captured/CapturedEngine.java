package dev.millrace.gpu.captured;

import dev.millrace.error.DeviceException;
import dev.millrace.gpu.ffi.HipMemory;
import dev.millrace.gpu.stream.CurrentDevice;
import dev.millrace.gpu.stream.PlatformThread;
import dev.millrace.handle.DeviceId;
import dev.millrace.spi.EngineLane;
import dev.millrace.spi.LaneHandles;
import dev.millrace.spi.LoadedProgram;
import dev.millrace.spi.PreparedArguments;
import dev.millrace.stream.StreamContext;
import dev.millrace.tensor.MemoryKind;
import dev.millrace.tensor.Tensor;
import dev.millrace.tensor.TensorSpec;
import java.util.List;
import java.util.stream.Stream;

/** Makes the lanes of a captured program; each is a capture of its own. */
final class CapturedEngine implements LoadedProgram {
  private static final int OUT_OF_MEMORY = 2;

  private final StreamContext context;
  private final CaptureSpec spec;
  private final CaptureBody body;
  private final int lanes;
  private final DeviceId device;
  private int made;
  private volatile long laneBytes;

  CapturedEngine(StreamContext context, CaptureSpec spec, CaptureBody body, int lanes) {
    this.context = context;
    this.spec = spec;
    this.body = body;
    this.lanes = lanes;
    this.device = context.own().device().id();
  }

  @Override
  public List<TensorSpec> inputs() {
    return spec.inputs().stream().map(CaptureSpec.Slot::spec).toList();
  }

  @Override
  public List<TensorSpec> outputs() {
    return spec.outputs().stream().map(CaptureSpec.Slot::spec).toList();
  }

  @Override
  public EngineLane newLane(LaneHandles handles) {
    CapturedLane lane =
        PlatformThread.call(
            "millrace-" + device + "-capture",
            () -> {
              checkMemory();
              return Capture.lane(context, spec, body);
            });
    made++;
    laneBytes = lane.bytes();
    return lane;
  }

  /** What a lane takes is known once there is one. */
  private void checkMemory() {
    if (made == 0) {
      return;
    }
    int former = CurrentDevice.enter(device.ordinal());
    long free;
    try {
      free = HipMemory.memGetInfo()[0];
    } finally {
      CurrentDevice.leave(former, device.ordinal());
    }
    if (free < laneBytes) {
      throw DeviceException.of(
          "make lane=%d of lanes=%d of %s: laneBytes=%d freeBytes=%d"
              .formatted(made + 1, lanes, spec, laneBytes, free),
          device,
          "hipMemGetInfo",
          OUT_OF_MEMORY,
          "hipErrorOutOfMemory");
    }
  }

  @Override
  public PreparedArguments prepare(List<Tensor> inputs, List<Tensor> outputs) {
    for (int i = 0; i < outputs.size(); i++) {
      checkWritable(outputs().get(i).name(), outputs.get(i));
    }
    Tensor[] tensors = Stream.concat(inputs.stream(), outputs.stream()).toArray(Tensor[]::new);
    List<CaptureSpec.Slot> slots = spec.slots().toList();
    long[] addresses = new long[tensors.length];
    for (int i = 0; i < tensors.length; i++) {
      if (slots.get(i).isRepointed()) {
        addresses[i] = repointable(slots.get(i), tensors[i]);
      }
    }
    return new CapturedArguments(tensors, addresses);
  }

  private void checkWritable(String name, Tensor tensor) {
    if (!tensor.isPending() && tensor.isReadOnly()) {
      throw new IllegalArgumentException(
          "output=" + name + " of " + spec + ": given " + tensor + ", whose memory is read-only");
    }
  }

  private long repointable(CaptureSpec.Slot slot, Tensor tensor) {
    boolean there = !tensor.isPending() && tensor.device().equals(device);
    if (!there || tensor.memory().isWrapped() || tensor.memory().kind() == MemoryKind.HOST) {
      throw new IllegalArgumentException(
          "tensor="
              + slot.spec().name()
              + " of "
              + spec
              + ": given "
              + tensor
              + ", expected memory of "
              + device
              + ", since the captured work is pointed at it");
    }
    return tensor.address();
  }

  @Override
  public long laneBytes() {
    return laneBytes;
  }

  @Override
  public List<String> synchronousBecause() {
    return List.of();
  }

  @Override
  public List<String> notCapturableBecause() {
    return List.of("it is replayed as a graph, whose launch HIP puts into no capture");
  }

  @Override
  public void close() {
    // The lanes hold everything, and are closed before.
  }
}
