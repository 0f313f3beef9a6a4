package dev.millrace.gpu.captured;

import dev.millrace.gpu.ffi.HipMemory;
import dev.millrace.gpu.stream.CurrentDevice;
import dev.millrace.gpu.stream.NativeCall;
import dev.millrace.spi.DeviceDriver;
import dev.millrace.spi.EngineLane;
import dev.millrace.spi.InFlightRun;
import dev.millrace.spi.PreparedArguments;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.MemoryKind;
import dev.millrace.tensor.Tensor;

/**
 * One capture with its buffers. A run copies its inputs in, launches the graph once, and copies its
 * outputs out; what is repointed is not copied.
 */
final class CapturedLane implements EngineLane {
  private static final int AS_ADDRESSES_SAY = 4;

  /** The stream of the capture: the lane's handle looks at it. */
  private final DeviceStream stream;

  private final DeviceDriver driver;
  private final int ordinal;
  private final LaneMemory memory;
  private final CapturedGraph graph;
  private final Tensor[] buffers;
  private final boolean[] fixed;
  private final int inputs;

  CapturedLane(CaptureSpec spec, DeviceStream stream, LaneMemory memory, CapturedGraph graph) {
    this.stream = stream;
    this.driver = stream.device().driver();
    this.ordinal = stream.device().id().ordinal();
    this.memory = memory;
    this.graph = graph;
    this.buffers = memory.buffers();
    this.inputs = spec.inputs().size();
    this.fixed = new boolean[buffers.length];
    int i = 0;
    for (CaptureSpec.Slot slot : spec.slots().toList()) {
      fixed[i++] = !slot.isRepointed();
    }
  }

  long bytes() {
    return memory.bytes();
  }

  @Override
  public void enqueue(PreparedArguments arguments, long target, InFlightRun run) {
    CapturedArguments given = (CapturedArguments) arguments;
    for (int i = 0; i < inputs; i++) {
      if (fixed[i]) {
        copy(given.tensor(i), buffers[i], target);
      }
    }
    replay(given, target);
    for (int i = inputs; i < buffers.length; i++) {
      if (fixed[i]) {
        copy(buffers[i], given.tensor(i), target);
      }
    }
  }

  /** The driver knows how to copy host memory; what HIP can copy by itself costs no object. */
  private void copy(Tensor from, Tensor to, long target) {
    if (isOfDevice(from) && isOfDevice(to)) {
      long beganNs = NativeCall.begin();
      int former = CurrentDevice.enter(ordinal);
      try {
        HipMemory.memcpyAsync(
            to.heldMemory().address(),
            from.heldMemory().address(),
            to.byteSize(),
            AS_ADDRESSES_SAY,
            target);
      } finally {
        CurrentDevice.leave(former, ordinal);
        NativeCall.end("hipMemcpyAsync", beganNs, traceId(beganNs, target));
      }
    } else {
      driver.copy(target, from, to);
    }
  }

  private static boolean isOfDevice(Tensor tensor) {
    return !tensor.isPending() && tensor.heldMemory().kind() == MemoryKind.DEVICE;
  }

  private long traceId(long beganNs, long target) {
    return beganNs == 0 ? 0 : driver.traceId(target);
  }

  private void replay(CapturedArguments given, long target) {
    long beganNs = NativeCall.begin();
    int former = CurrentDevice.enter(ordinal);
    try {
      repoint(given);
      graph.launch(target);
    } finally {
      CurrentDevice.leave(former, ordinal);
      NativeCall.end("hipGraphLaunch", beganNs, traceId(beganNs, target));
    }
  }

  private void repoint(CapturedArguments given) {
    boolean changed = false;
    for (int i = 0; i < buffers.length; i++) {
      if (!fixed[i]) {
        changed |= graph.repoint(i, given.address(i));
      }
    }
    if (changed) {
      graph.applyChanges(given.addresses());
    }
  }

  /** Nothing of it waits: what frees memory is done later, by others. */
  @Override
  public void close() {
    try {
      int former = CurrentDevice.enter(ordinal);
      try {
        graph.destroy();
      } finally {
        CurrentDevice.leave(former, ordinal);
      }
    } finally {
      memory.close();
      stream.close();
    }
  }
}
