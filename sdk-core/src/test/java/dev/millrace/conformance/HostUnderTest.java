package dev.millrace.conformance;

import dev.millrace.spi.DeviceDriver;
import dev.millrace.spi.DeviceProvider;
import java.util.ServiceLoader;

/** The embedded device on CPU threads. */
public final class HostUnderTest implements DeviceUnderTest {

  /** Nothing to be prepared: the device is always there. */
  public HostUnderTest() {}

  /**
   * Opens one of the host's devices.
   *
   * @param ordinal which
   * @return its driver, the caller's to close
   */
  public static DeviceDriver open(int ordinal) {
    for (DeviceProvider provider : ServiceLoader.load(DeviceProvider.class)) {
      if (provider.kind().equals("host")) {
        return provider.open(ordinal);
      }
    }
    throw new AssertionError("no provider of kind=host");
  }

  @Override
  public DeviceDriver open() {
    return open(0);
  }

  @Override
  public DeviceDriver openOther() {
    return open(1);
  }

  @Override
  public boolean reachesHostMemory() {
    return true;
  }

  @Override
  public boolean isThreadOfDevice(Thread thread) {
    return thread.getName().startsWith("millrace-host:");
  }
}
