package dev.millrace.gpu.ffi;

import dev.millrace.error.DeviceException;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the first native call of a thread that failed, also where the caller swallowed it: it
 * is the one that invalidated a capture.
 */
public final class FirstFailure {
  private static final ThreadLocal<@Nullable FirstFailure> WATCHED = new ThreadLocal<>();

  private @Nullable DeviceException first;

  private FirstFailure() {}

  /** From now on failures of the calling thread are remembered. */
  public static void watch() {
    WATCHED.set(new FirstFailure());
  }

  /**
   * Ends the watch.
   *
   * @return the first failure since {@link #watch}, or null
   */
  public static @Nullable DeviceException end() {
    FirstFailure watched = WATCHED.get();
    WATCHED.remove();
    return watched == null ? null : watched.first;
  }

  static DeviceException noted(DeviceException failure) {
    FirstFailure watched = WATCHED.get();
    if (watched != null && watched.first == null) {
      watched.first = failure;
    }
    return failure;
  }
}
