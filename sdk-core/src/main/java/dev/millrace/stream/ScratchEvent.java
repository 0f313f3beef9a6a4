package dev.millrace.stream;

import dev.millrace.spi.DeviceDriver;

/** A native event for the length of one call. */
record ScratchEvent(DeviceDriver driver, long address) implements AutoCloseable {

  static ScratchEvent of(DeviceDriver driver) {
    return new ScratchEvent(driver, driver.createEvent());
  }

  @Override
  public void close() {
    driver.destroyEvent(address);
  }
}
