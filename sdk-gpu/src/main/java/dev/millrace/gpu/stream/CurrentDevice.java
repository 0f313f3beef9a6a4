package dev.millrace.gpu.stream;

import dev.millrace.gpu.ffi.HipDevices;

/**
 * The device to which the calling thread's HIP calls go. It belongs to the OS thread: between
 * {@link #enter} and {@link #leave} nothing may block or unmount.
 */
public final class CurrentDevice {
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
   * Puts the former device back.
   *
   * @param former what {@link #enter} gave
   * @param ordinal the device that was entered
   */
  public static void leave(int former, int ordinal) {
    if (former != ordinal) {
      HipDevices.setDevice(former);
    }
  }
}
