package dev.millrace.spi;

import dev.millrace.handle.DeviceId;
import java.util.List;
import java.util.Optional;

/** Finds the devices of one kind; a service of {@code java.util.ServiceLoader}. */
public interface DeviceProvider {

  /**
   * The kind of device that this finds.
   *
   * @return the first part of its devices' ids
   */
  String kind();

  /**
   * The devices that are there now.
   *
   * @return their ids; empty where {@link #whyAbsent()} says why
   */
  List<DeviceId> list();

  /**
   * Opens a device.
   *
   * @param ordinal its number, from 0
   * @return a driver that is the caller's to close
   * @throws IllegalArgumentException if there is no such device
   * @throws dev.millrace.error.LibraryMissingException if what it needs is not installed
   */
  DeviceDriver open(int ordinal);

  /**
   * Why there is no device of this kind.
   *
   * @return one sentence, or empty where there are devices
   */
  default Optional<String> whyAbsent() {
    return Optional.empty();
  }
}
