package dev.millrace.gpu.kernel;

import dev.millrace.gpu.ffi.HipModules;
import dev.millrace.gpu.ffi.HipStreams;
import dev.millrace.gpu.stream.CaptureGate;
import dev.millrace.gpu.stream.CapturedLaunch;
import dev.millrace.gpu.stream.CurrentDevice;
import dev.millrace.gpu.stream.NativeCall;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import java.util.List;
import java.util.Objects;

/**
 * A kernel of a module: what it takes, and how to launch it. Any thread; it is good until its
 * module is closed.
 *
 * <p>Experimental: may change in any release.
 */
public final class Kernel {
  private static final int CAPTURING = 1;

  private final KernelModule module;
  private final String name;
  private final KernelDescription description;
  private final long function;
  private final int ordinal;
  private final String act;

  Kernel(KernelModule module, String name, KernelDescription description, long function) {
    this.module = module;
    this.name = name;
    this.description = description;
    this.function = function;
    this.ordinal = module.device().id().ordinal();
    this.act = "launch kernel=" + name + " on";
  }

  /**
   * The name by which the module was asked for it.
   *
   * @return the name
   */
  public String name() {
    return name;
  }

  /**
   * What it takes, as the code object says. Types of elements are not among that.
   *
   * @return the parameters, in order
   */
  public List<KernelParameter> parameters() {
    return description.parameters();
  }

  /**
   * Makes arguments of which none is set yet.
   *
   * @return the arguments
   */
  public KernelArguments arguments() {
    return new KernelArguments(this);
  }

  /**
   * Makes arguments.
   *
   * @param values one a parameter, in order: a {@code Tensor} for a pointer; an {@code Integer},
   *     {@code Long}, {@code Float}, {@code Double}, {@code Short}, {@code Byte} or a {@code
   *     MemorySegment} for a value of that size
   * @return the arguments
   * @throws IllegalArgumentException if there are more or fewer of them, or one does not fit
   */
  public KernelArguments arguments(Object... values) {
    int expected = description.parameters().size();
    if (values.length != expected) {
      throw new IllegalArgumentException(
          "kernel=" + name + ": given arguments=" + values.length + ", expected " + expected);
    }
    KernelArguments arguments = arguments();
    for (int i = 0; i < values.length; i++) {
      arguments.setObject(i, values[i]);
    }
    return arguments;
  }

  /**
   * Enqueues a launch and returns. The tensors and the module are kept until it is done.
   *
   * <p>On a stream that a {@code CapturedProgram} captures they are kept by the captured program;
   * on one that the application captures itself they are the application's to keep, for as long as
   * its graph is used.
   *
   * @param stream of the module's device
   * @param launch how many threads
   * @param arguments made by this kernel, all of them set
   * @throws IllegalArgumentException for a stream of another device, arguments of another kernel, a
   *     missing argument, or more threads or shared memory than the device or the kernel takes
   * @throws IllegalStateException if the module, the stream or a tensor is closed
   * @throws dev.millrace.error.DeviceException if the launch fails, or something submitted to the
   *     stream earlier went wrong and nobody was told yet
   */
  public void launch(DeviceStream stream, Launch launch, KernelArguments arguments) {
    Objects.requireNonNull(launch, "launch");
    stream.checkUsable(module.device(), act);
    arguments.checkFor(this);
    module.limits().check(description, launch);
    stream.throwFailures(act);
    WorkInFlight work = module.work().take(act);
    boolean enqueued = false;
    try {
      arguments.keepIn(work);
      long address = stream.acquire(act);
      work.keepAcquired(stream);
      boolean captured = enqueue(address, launch, arguments, stream);
      enqueued = true;
      if (captured) {
        captured(address, launch, arguments, work);
      } else {
        work.watch(address);
      }
    } finally {
      if (!enqueued) {
        work.run();
      }
    }
  }

  /** Whether the launch was captured, and does not run. */
  private boolean enqueue(
      long stream, Launch launch, KernelArguments arguments, DeviceStream traced) {
    long beganNs = NativeCall.begin();
    int former = CurrentDevice.enter(ordinal);
    try {
      // Before the launch: once that has happened nothing may fail but what waits for it.
      boolean captured = stream != 0 && HipStreams.streamIsCapturing(stream) == CAPTURING;
      HipModules.moduleLaunchKernel(
          function,
          launch.gridX(),
          launch.gridY(),
          launch.gridZ(),
          launch.blockX(),
          launch.blockY(),
          launch.blockZ(),
          launch.sharedBytes(),
          stream,
          arguments.address(),
          0);
      return captured;
    } finally {
      CurrentDevice.leave(former, ordinal);
      NativeCall.end("hipModuleLaunchKernel", beganNs, traced.traceId());
    }
  }

  private void captured(long stream, Launch launch, KernelArguments arguments, WorkInFlight work) {
    CaptureGate.Keeper keeper = CaptureGate.keeperOf(stream);
    if (keeper == null) {
      work.run();
      return;
    }
    keeper.keep(work);
    keeper.launched(
        toString(),
        new CapturedLaunch(
            function,
            new int[] {launch.gridX(), launch.gridY(), launch.gridZ()},
            new int[] {launch.blockX(), launch.blockY(), launch.blockZ()},
            launch.sharedBytes(),
            arguments.values(),
            arguments.offsets(),
            arguments.pointerOffsets()));
  }

  Device device() {
    return module.device();
  }

  @Override
  public String toString() {
    return "kernel=" + name;
  }
}
