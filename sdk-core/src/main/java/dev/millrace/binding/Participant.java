package dev.millrace.binding;

import dev.millrace.error.DeviceException;
import dev.millrace.handle.DeviceId;
import dev.millrace.handle.StreamHandle;
import org.jspecify.annotations.Nullable;

/** A {@link StreamBound} in a context: what it fails with names it, and is remembered. */
final class Participant {
  private final StreamBound bound;
  private final DeviceId device;
  private @Nullable String brokenBecause;

  Participant(StreamBound bound, DeviceId device) {
    this.bound = bound;
    this.device = device;
  }

  String name() {
    return bound.name();
  }

  boolean hasWorkspace() {
    return bound.hasWorkspace();
  }

  StreamBound bound() {
    return bound;
  }

  boolean is(StreamBound other) {
    return bound.equals(other);
  }

  /** Where it says that it is. */
  long stream() {
    StreamHandle at;
    try {
      at = bound.stream();
    } catch (RuntimeException | Error e) {
      throw named("ask participant=" + name() + " for its stream", "stream", e);
    }
    if (!at.device().equals(device)) {
      throw new IllegalArgumentException(
          "participant=" + name() + " looks at " + at + ": expected a stream of " + device);
    }
    return at.address();
  }

  void pointAt(long stream) {
    StreamHandle target = new StreamHandle(device, stream);
    try {
      bound.setStream(target);
    } catch (RuntimeException | Error e) {
      throw named("point participant=" + name() + " at " + target, "setStream", e);
    }
  }

  private DeviceException named(String act, String function, Throwable failure) {
    return failure instanceof DeviceException named
        ? named
        : DeviceException.of(act, device, function, failure);
  }

  /** It could not be put back: nobody knows where it is. */
  void breaks(Throwable failure) {
    brokenBecause = String.valueOf(failure.getMessage());
  }

  void checkWhole() {
    if (brokenBecause != null) {
      throw new IllegalStateException(
          "bind with participant="
              + name()
              + ", which could not be put back earlier: "
              + brokenBecause
              + "; detach it first");
    }
  }
}
