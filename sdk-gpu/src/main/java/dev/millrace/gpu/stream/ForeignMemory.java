package dev.millrace.gpu.stream;

import dev.millrace.error.DeviceException;
import dev.millrace.gpu.ffi.HipMemory;
import dev.millrace.handle.DeviceId;
import dev.millrace.tensor.DeviceMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Memory that another library allocated with HIP. */
final class ForeignMemory {
  private static final System.Logger LOG = System.getLogger("dev.millrace.gpu");

  /** Of {@code hipPointerAttribute_t}, and the offsets of its first two members. */
  private static final long ATTRIBUTES_BYTES = 32;

  private static final long TYPE = 0;
  private static final long DEVICE = 4;

  /** In {@code hipMemoryType}. */
  private static final int HOST = 1;

  private static final int ON_DEVICE = 2;
  private static final int MANAGED = 3;

  private ForeignMemory() {}

  /** Keeps the owner reachable, as long as the memory itself is. */
  private record Owner(Object owner) {
    void release() {
      LOG.log(System.Logger.Level.DEBUG, "memory goes back to a {0}", owner.getClass().getName());
    }
  }

  /** Asks HIP what it is; the device is current. */
  static DeviceMemory adopt(
      DeviceId id, long address, long bytes, HostTransfer transfer, Object owner) {
    String act = "adopt memory=0x" + Long.toHexString(address) + " bytes=" + bytes;
    MemorySegment attributes = attributes(act, id, address);
    int type = attributes.get(ValueLayout.JAVA_INT, TYPE);
    int ordinal = attributes.get(ValueLayout.JAVA_INT, DEVICE);
    Runnable release = new Owner(owner)::release;
    if (type == HOST) {
      return GpuMemory.pinned(id, address, bytes, transfer, release);
    }
    if (type != ON_DEVICE && type != MANAGED) {
      throw notOurs(act, id, "HIP knows it as hipMemoryType=" + type);
    }
    if (ordinal != id.ordinal()) {
      throw notOurs(act, id, "it is memory of device=" + new DeviceId(id.kind(), ordinal));
    }
    return GpuMemory.ofDevice(id, address, bytes, transfer, release);
  }

  private static MemorySegment attributes(String act, DeviceId id, long address) {
    MemorySegment attributes = Arena.ofAuto().allocate(ATTRIBUTES_BYTES, Long.BYTES);
    try {
      HipMemory.pointerGetAttributes(attributes.address(), address);
      return attributes;
    } catch (DeviceException e) {
      IllegalArgumentException refused = notOurs(act, id, "HIP answers " + e.codeName());
      refused.initCause(e);
      throw refused;
    }
  }

  private static IllegalArgumentException notOurs(String act, DeviceId id, String why) {
    return new IllegalArgumentException(
        act + " on device=" + id + ": " + why + ", expected memory of " + id);
  }
}
