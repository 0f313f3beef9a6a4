package dev.millrace.gpu;

import dev.millrace.error.DeviceException;
import dev.millrace.error.LibraryMissingException;
import dev.millrace.gpu.ffi.HipDevices;
import dev.millrace.gpu.stream.GpuProvider;
import dev.millrace.handle.DeviceId;
import dev.millrace.stream.Device;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Which GPUs there are, by names that mean the same in every process, and what they are. A GPU is
 * opened by its id: {@code Device.open(Gpu.byPciBusId("0000:c3:00.0").toString())}. Any thread.
 *
 * <p>Ordinals count the GPUs that HIP shows to this process: {@code HIP_VISIBLE_DEVICES}, {@code
 * ROCR_VISIBLE_DEVICES} and {@code GPU_DEVICE_ORDINAL} change them, which a bus id and a UUID do
 * not mind.
 */
public final class Gpu {
  private static final GpuProvider PROVIDER = new GpuProvider();

  private Gpu() {}

  /**
   * The GPUs that HIP shows to this process.
   *
   * @return their ids; empty where {@link #whyAbsent()} says why
   */
  public static List<DeviceId> list() {
    return PROVIDER.list();
  }

  /**
   * Why there is no GPU.
   *
   * @return one sentence, or empty where there is one
   */
  public static Optional<String> whyAbsent() {
    return PROVIDER.whyAbsent();
  }

  /**
   * The GPU in a slot.
   *
   * @param busId domain, bus, device and function in hexadecimal, for example {@code 0000:c3:00.0};
   *     the domain 0000 may be left out
   * @return its id
   * @throws IllegalArgumentException if no GPU that HIP shows is there, with those that are
   * @throws LibraryMissingException if HIP is not installed
   */
  public static DeviceId byPciBusId(String busId) {
    Objects.requireNonNull(busId, "busId");
    return find("PCI bus id=" + busId, withDomain(busId), HipDevices::pciBusId);
  }

  private static String withDomain(String busId) {
    return busId.chars().filter(c -> c == ':').count() == 1 ? "0000:" + busId : busId;
  }

  /**
   * The GPU with a UUID, as {@link #uuid} gives it.
   *
   * @param uuid {@code GPU-} and 32 hexadecimal digits; hyphens between them do not matter
   * @return its id
   * @throws IllegalArgumentException if HIP shows no such GPU, with those that it shows
   * @throws LibraryMissingException if HIP is not installed
   */
  public static DeviceId byUuid(String uuid) {
    Objects.requireNonNull(uuid, "uuid");
    return find("UUID=" + uuid, digits(uuid), ordinal -> digits(HipDevices.uuid(ordinal)));
  }

  private static String digits(String uuid) {
    return uuid.toLowerCase(Locale.ROOT).replace("gpu-", "").replace("-", "");
  }

  private static DeviceId find(String wanted, String name, IntFunction<String> nameOf) {
    for (DeviceId id : present()) {
      if (nameOf.apply(id.ordinal()).equalsIgnoreCase(name)) {
        return id;
      }
    }
    List<String> there = present().stream().map(id -> nameOf.apply(id.ordinal())).toList();
    throw new IllegalArgumentException(
        "find the GPU of " + wanted + ": expected one of " + String.join(", ", there));
  }

  private static List<DeviceId> present() {
    List<DeviceId> ids = PROVIDER.list();
    if (ids.isEmpty()) {
      throw new LibraryMissingException("a GPU", List.of(), PROVIDER.whyAbsent().orElse(""));
    }
    return ids;
  }

  /**
   * What a GPU is called.
   *
   * @param gpu an open GPU
   * @return for example {@code AMD Instinct MI300X}
   * @throws DeviceException if HIP cannot say
   */
  public static String name(Device gpu) {
    return HipDevices.name(ordinal(gpu, "name"));
  }

  /**
   * The instruction set for which its code objects are compiled, with its features.
   *
   * @param gpu an open GPU
   * @return for example {@code gfx942:sramecc+:xnack-}
   * @throws DeviceException if HIP cannot say
   */
  public static String architecture(Device gpu) {
    return HipDevices.architecture(ordinal(gpu, "architecture"));
  }

  /**
   * Where a GPU is.
   *
   * @param gpu an open GPU
   * @return for example {@code 0000:c3:00.0}
   * @throws DeviceException if HIP cannot say
   */
  public static String pciBusId(Device gpu) {
    return HipDevices.pciBusId(ordinal(gpu, "PCI bus id"));
  }

  /**
   * A GPU's identity, the same in every process.
   *
   * @param gpu an open GPU
   * @return {@code GPU-} and 32 hexadecimal digits
   * @throws DeviceException if HIP cannot say
   */
  public static String uuid(Device gpu) {
    return HipDevices.uuid(ordinal(gpu, "UUID"));
  }

  private static int ordinal(Device gpu, String what) {
    DeviceId id = gpu.id();
    if (!id.kind().equals(GpuProvider.KIND)) {
      throw new IllegalArgumentException("ask for the " + what + " of " + id + ": expected a GPU");
    }
    return id.ordinal();
  }
}
