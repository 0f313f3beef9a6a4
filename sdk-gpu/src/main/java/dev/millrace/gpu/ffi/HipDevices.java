package dev.millrace.gpu.ffi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.handle.DeviceId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Devices of HIP, and which one a thread's calls go to. */
public final class HipDevices {
  /** Of {@code hipDeviceProp_tR0600}; a test holds both against the header. */
  static final int PROPERTIES_BYTES = 1472;

  static final int GCN_ARCH_NAME_OFFSET = 1160;

  private static final int UUID_BYTES = 16;
  private static final int NO_DEVICE = 100;
  private static final int INVALID_DEVICE = 101;
  private static final int TEXT_BYTES = 256;

  private static final MethodHandle GET_DEVICE_COUNT =
      Hip.LIBRARY.plain("hipError_t hipGetDeviceCount(int* count)");
  private static final MethodHandle SET_DEVICE =
      Hip.LIBRARY.check("choose a device", "hipError_t hipSetDevice(int deviceId)");
  private static final MethodHandle GET_DEVICE =
      Hip.LIBRARY.check("ask for the current device", "hipError_t hipGetDevice(int* deviceId)");
  private static final MethodHandle GET_NAME =
      Hip.LIBRARY.check(
          "ask for the name of a device",
          "hipError_t hipDeviceGetName(char* name, int len, hipDevice_t device)");
  private static final MethodHandle GET_ATTRIBUTE =
      Hip.LIBRARY.check(
          "ask for an attribute of a device",
          "hipError_t hipDeviceGetAttribute(int* pi, hipDeviceAttribute_t attr, int deviceId)");
  private static final MethodHandle GET_PROPERTIES =
      Hip.LIBRARY.check(
          "ask for the properties of a device",
          "hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* prop, int deviceId)");
  private static final MethodHandle GET_PCI_BUS_ID =
      Hip.LIBRARY.check(
          "ask for the PCI bus id of a device",
          "hipError_t hipDeviceGetPCIBusId(char* pciBusId, int len, int device)");
  private static final MethodHandle GET_UUID =
      Hip.LIBRARY.check(
          "ask for the UUID of a device",
          "hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t device)");

  private HipDevices() {}

  /**
   * How many devices there are, in a process whose environment may hide some.
   *
   * @return 0 also where the runtime answers that there is none, by whichever of its codes
   */
  public static int count() {
    long out = Native.slot();
    Native.putInt(out, 0);
    try {
      int status = (int) GET_DEVICE_COUNT.invokeExact(out);
      if (status == NO_DEVICE || status == INVALID_DEVICE) {
        return 0;
      }
      Hip.isReady(status, "count devices from ", 0, "hipGetDeviceCount");
    } catch (Throwable e) {
      throw Native.unexpected("hipGetDeviceCount", e);
    }
    return Native.getInt(out);
  }

  /**
   * Makes a device the one that the calling thread's calls go to.
   *
   * @param deviceId its ordinal
   */
  public static void setDevice(int deviceId) {
    try {
      SET_DEVICE.invokeExact(deviceId);
    } catch (Throwable e) {
      throw Native.unexpected("hipSetDevice", e);
    }
  }

  /**
   * The device that the calling thread's calls go to.
   *
   * @return its ordinal
   */
  public static int currentDevice() {
    long out = Native.slot();
    try {
      GET_DEVICE.invokeExact(out);
    } catch (Throwable e) {
      throw Native.unexpected("hipGetDevice", e);
    }
    return Native.getInt(out);
  }

  /** For messages: never fails, whatever the state of the runtime. */
  static DeviceId currentId() {
    try {
      return new DeviceId("gpu", currentDevice());
    } catch (RuntimeException e) {
      return new DeviceId("gpu", 0);
    }
  }

  /**
   * What a device is called.
   *
   * @param ordinal which
   * @return for example {@code AMD Instinct MI300X}
   */
  public static String name(int ordinal) {
    return Native.text(
        TEXT_BYTES,
        (text, bytes) -> {
          GET_NAME.invokeExact(text, (int) bytes, ordinal);
        });
  }

  /**
   * Where a device is.
   *
   * @param ordinal which
   * @return for example {@code 0000:c3:00.0}
   */
  public static String pciBusId(int ordinal) {
    return Native.text(
        TEXT_BYTES,
        (text, bytes) -> {
          GET_PCI_BUS_ID.invokeExact(text, (int) bytes, ordinal);
        });
  }

  /**
   * The architecture, with its features.
   *
   * @param ordinal which
   * @return for example {@code gfx942:sramecc+:xnack-}
   */
  public static String architecture(int ordinal) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment properties = arena.allocate(PROPERTIES_BYTES, Long.BYTES);
      GET_PROPERTIES.invokeExact(properties.address(), ordinal);
      return properties.getString(GCN_ARCH_NAME_OFFSET);
    } catch (Throwable e) {
      throw Native.unexpected("hipGetDevicePropertiesR0600", e);
    }
  }

  /**
   * A device's identity, the same in every process.
   *
   * @param ordinal which
   * @return its 16 bytes as text, {@code GPU-} before them
   */
  public static String uuid(int ordinal) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment uuid = arena.allocate(UUID_BYTES);
      GET_UUID.invokeExact(uuid.address(), ordinal);
      return "GPU-" + java.util.HexFormat.of().formatHex(uuid.toArray(JAVA_BYTE));
    } catch (Throwable e) {
      throw Native.unexpected("hipDeviceGetUuid", e);
    }
  }

  /**
   * An attribute of a device.
   *
   * @param attr its number in {@code hipDeviceAttribute_t}
   * @param ordinal which device
   * @return its value
   */
  public static int attribute(int attr, int ordinal) {
    long out = Native.slot();
    try {
      GET_ATTRIBUTE.invokeExact(out, attr, ordinal);
    } catch (Throwable e) {
      throw Native.unexpected("hipDeviceGetAttribute", e);
    }
    return Native.getInt(out);
  }
}
