package dev.millrace.gpu.stream;

import dev.millrace.error.DeviceException;
import dev.millrace.error.LibraryMissingException;
import dev.millrace.gpu.ffi.Hip;
import dev.millrace.gpu.ffi.HipDevices;
import dev.millrace.handle.DeviceId;
import dev.millrace.spi.DeviceDriver;
import dev.millrace.spi.DeviceProvider;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Finds the GPUs that HIP shows to this process; {@code HIP_VISIBLE_DEVICES} and its kin have been
 * applied by then, and ordinals count what is left.
 */
public final class GpuProvider implements DeviceProvider {
  /** The first part of a GPU's id. */
  public static final String KIND = "gpu";

  /** For {@code ServiceLoader}. */
  public GpuProvider() {}

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public List<DeviceId> list() {
    return IntStream.range(0, count()).mapToObj(ordinal -> new DeviceId(KIND, ordinal)).toList();
  }

  /** A runtime that cannot count has none that could be used; {@link #whyAbsent} says why. */
  private static int count() {
    try {
      return Hip.missing().isPresent() ? 0 : HipDevices.count();
    } catch (DeviceException e) {
      return 0;
    }
  }

  @Override
  public Optional<String> whyAbsent() {
    Optional<LibraryMissingException> missing = Hip.missing();
    if (missing.isPresent()) {
      return missing.map(Throwable::getMessage);
    }
    try {
      return HipDevices.count() > 0 ? Optional.empty() : Optional.of(NONE);
    } catch (DeviceException e) {
      return Optional.of("HIP cannot count its devices: " + e.getMessage());
    }
  }

  private static final String NONE =
      "HIP is installed and shows no GPU to this process: there is none, its driver is not loaded,"
          + " this user may not open /dev/kfd (group render), or HIP_VISIBLE_DEVICES hides it";

  @Override
  public DeviceDriver open(int ordinal) {
    Hip.missing()
        .ifPresent(
            missing -> {
              throw missing;
            });
    int count = HipDevices.count();
    if (ordinal < 0 || ordinal >= count) {
      throw new IllegalArgumentException(
          "open device=gpu:"
              + ordinal
              + ": "
              + (count == 0 ? NONE : "expected gpu:0 to gpu:" + (count - 1)));
    }
    return GpuDriver.open(ordinal);
  }
}
