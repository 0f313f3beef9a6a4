package dev.millrace.gpu.stream;

import dev.millrace.error.DeviceException;
import dev.millrace.gpu.ffi.HipDevices;

/**
 * The device to which the calling thread's HIP calls go. It belongs to the OS thread: between
 * {@link #enter} and {@link #leave} nothing may block or unmount.
 */
public final class CurrentDevice {
  private static final System.Logger LOG = System.getLogger("dev.millrace.gpu");

  private CurrentDevice() {}

  /**
   * Makes a device the current one.
   *
   * @param ordinal which
   * @return the one that was, for {@link #leave}
   */
  public static int enter(int ordinal) {
    int former = HipDevices.currentDevice();
    if (former != ordinal) {
      HipDevices.setDevice(ordinal);
    }
    return former;
  }

  /**
   * Puts the former device back. If that fails it is tried once more: a thread of the application
   * that stayed on another device would go wrong much later.
   *
   * @param former what {@link #enter} gave
   * @param ordinal the device that was entered
   */
  public static void leave(int former, int ordinal) {
    if (former != ordinal) {
      putBack(former);
    }
  }

  private static void putBack(int former) {
    try {
      HipDevices.setDevice(former);
    } catch (DeviceException e) {
      LOG.log(System.Logger.Level.WARNING, "put back device=gpu:" + former, e);
      HipDevices.setDevice(former);
    }
  }
}
