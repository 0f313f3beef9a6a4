package dev.millrace.handle;

import java.util.Objects;

/**
 * A stream as other libraries know it. A handle does not keep its stream alive, and an address may
 * be given again to a later stream: pass {@code DeviceStream} wherever Millrace is called.
 *
 * @param device the device of the stream
 * @param address the native value, a {@code hipStream_t} on a GPU; 0 is the device's null stream
 */
public record StreamHandle(DeviceId device, long address) {

  /** Checks that the device is named. */
  public StreamHandle {
    Objects.requireNonNull(device, "device");
  }

  /**
   * Whether this is the device's null stream, which is a stream like others and not the absence of
   * one.
   *
   * @return whether the address is 0
   */
  public boolean isNull() {
    return address == 0;
  }

  @Override
  public String toString() {
    return isNull()
        ? "null stream of " + device
        : "stream 0x" + Long.toHexString(address) + " of " + device;
  }
}
