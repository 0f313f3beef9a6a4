package dev.millrace.handle;

import java.util.Objects;

/**
 * An event as other libraries know it. A handle does not keep its event alive.
 *
 * @param device the device of the event
 * @param address the native value, a {@code hipEvent_t} on a GPU
 */
public record EventHandle(DeviceId device, long address) {

  /** Checks that the device is named. */
  public EventHandle {
    Objects.requireNonNull(device, "device");
  }

  @Override
  public String toString() {
    return "event 0x" + Long.toHexString(address) + " of " + device;
  }
}
