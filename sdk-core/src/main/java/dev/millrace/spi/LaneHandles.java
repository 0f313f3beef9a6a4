package dev.millrace.spi;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** Takes the library handles that a lane makes for itself, so that each run points them. */
@FunctionalInterface
public interface LaneHandles {

  /**
   * Adds a handle, which is pointed at the stream of each run and back at the lane's own stream.
   *
   * @param name what messages call it
   * @param current asks the library for the handle's stream
   * @param pointAt tells the library the handle's stream
   */
  void add(String name, LongSupplier current, LongConsumer pointAt);
}
