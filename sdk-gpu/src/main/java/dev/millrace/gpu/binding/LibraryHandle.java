package dev.millrace.gpu.binding;

import dev.millrace.binding.StreamBound;
import dev.millrace.gpu.stream.CurrentDevice;
import dev.millrace.handle.DeviceId;
import dev.millrace.handle.StreamHandle;
import java.util.Objects;

/**
 * A handle of a library as a participant. Where it is, is asked of the library each time: the
 * application may have moved it.
 *
 * @param kind whose handle it is
 * @param device on which the handle was made
 * @param address the handle
 */
public record LibraryHandle(HandleKind kind, DeviceId device, long address) implements StreamBound {

  /** Refuses what no library could be asked about. */
  public LibraryHandle {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(device, "device");
    if (address == 0) {
      throw new IllegalArgumentException("attach " + kind.library() + " handle=0x0: no handle");
    }
    kind.checkPresent();
  }

  @Override
  public String name() {
    return kind.library() + " 0x" + Long.toHexString(address);
  }

  @Override
  public StreamHandle stream() {
    return new StreamHandle(device, kind.streamOf(address));
  }

  /** With its device current: the libraries ask the device's properties on the way. */
  @Override
  public void setStream(StreamHandle stream) {
    int former = CurrentDevice.enter(device.ordinal());
    try {
      kind.point(address, stream.address());
    } finally {
      CurrentDevice.leave(former, device.ordinal());
    }
  }
}
