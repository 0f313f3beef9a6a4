package dev.millrace.tensor;

/** Who can read a memory. */
public enum MemoryKind {
  /** Ordinary memory of the process. */
  HOST,
  /** Memory of the process that a device reads and writes directly. */
  PINNED,
  /** Memory of a device: an address that the host must not follow. */
  DEVICE;

  /**
   * Whether the host may follow an address into this memory.
   *
   * @return false for {@link #DEVICE} alone
   */
  public boolean isHostReadable() {
    return this != DEVICE;
  }
}
