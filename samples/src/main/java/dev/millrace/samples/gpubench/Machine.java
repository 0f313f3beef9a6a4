package dev.millrace.samples.gpubench;

import dev.millrace.gpu.ffi.HipEvents;
import dev.millrace.gpu.kernel.KernelModule;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;

/**
 * What all parts of the benchmark use.
 *
 * @param device the GPU
 * @param stream the application's
 * @param event the C side's, without timing
 * @param kernels the application's
 * @param module the same kernels, loaded by Millrace
 * @param floor the C side
 * @param calls the stand-in's log
 * @param options how long
 */
record Machine(
    Device device,
    DeviceStream stream,
    long event,
    Kernels kernels,
    KernelModule module,
    Floor floor,
    NativeCalls calls,
    Options options)
    implements AutoCloseable {
  private static final int WITHOUT_TIMING = 2;

  static Machine open(Options options) {
    Device device = Device.open("gpu:0");
    DeviceStream stream = device.newStream();
    return new Machine(
        device,
        stream,
        HipEvents.eventCreateWithFlags(WITHOUT_TIMING),
        new Kernels(),
        KernelModule.compile(device, Kernels.SOURCE),
        new Floor(options.floor(), options.rocm()),
        new NativeCalls(options.rocm()),
        options);
  }

  Submission submission(int samples) {
    return new Submission(stream.handle().address(), event, device.id().ordinal(), samples);
  }

  /** Everything is done, and the SDK knows it. */
  void settle() {
    stream.synchronize();
    device.driver().synchronize();
  }

  @Override
  public void close() {
    HipEvents.eventDestroy(event);
    module.close();
    kernels.close();
    stream.close();
    device.close();
  }
}
