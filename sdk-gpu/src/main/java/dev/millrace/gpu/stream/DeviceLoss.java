package dev.millrace.gpu.stream;

import dev.millrace.error.DeviceException;
import dev.millrace.handle.DeviceId;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Whether a device still works. After some errors nothing on it does: the first of them is kept,
 * every later call says that it was the first, and nobody waits for the device any more.
 */
final class DeviceLoss {
  /**
   * Errors of {@code hipError_t} after which the device's context is unusable: unmapped or lost
   * memory (700, 214), a kernel that ran too long, asserted, or failed (702, 710, 719), and what
   * the runtime itself cannot name (999).
   */
  private static final Set<Integer> FATAL = Set.of(214, 700, 702, 710, 719, 999);

  private static final System.Logger LOG = System.getLogger("dev.millrace.gpu");

  private final DeviceId device;
  private final AtomicReference<@Nullable DeviceException> first = new AtomicReference<>();
  private volatile Runnable onLoss = () -> {};

  DeviceLoss(DeviceId device) {
    this.device = device;
  }

  void onLoss(Runnable action) {
    onLoss = action;
  }

  boolean isLost() {
    return first.get() != null;
  }

  @Nullable DeviceException cause() {
    return first.get();
  }

  /** Refuses an act on a lost device. */
  void check(String act) {
    DeviceException seen = first.get();
    if (seen != null) {
      throw refusal(act, seen);
    }
  }

  private DeviceException refusal(String act, DeviceException seen) {
    DeviceException refused =
        DeviceException.of(
            act + ": the device was lost before, by " + seen.act(),
            device,
            seen.function(),
            seen.code(),
            seen.codeName());
    refused.addSuppressed(seen);
    return refused;
  }

  /** Looks at what a call threw, and gives it back to be thrown on. */
  <T extends Throwable> T seen(T failure) {
    if (failure instanceof DeviceException one && FATAL.contains(one.code())) {
      lose(one);
    }
    return failure;
  }

  private void lose(DeviceException cause) {
    if (first.compareAndSet(null, cause)) {
      LOG.log(System.Logger.Level.ERROR, "device=" + device + " is lost", cause);
      onLoss.run();
    }
  }
}
