package dev.millrace.gpu.kernel;

import dev.millrace.stream.Device;

/** Tells GPUs from other devices. */
final class Gpu {
  private static final String KIND = "gpu";

  private Gpu() {}

  static int ordinal(Device device, String act) {
    if (!device.id().kind().equals(KIND)) {
      throw new UnsupportedOperationException(
          act + ": device=" + device + " runs no kernels, expected one of kind=" + KIND);
    }
    return device.id().ordinal();
  }
}
