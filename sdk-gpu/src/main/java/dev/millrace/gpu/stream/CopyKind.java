package dev.millrace.gpu.stream;

import dev.millrace.tensor.MemoryKind;

/** How bytes get from one memory to another. */
enum CopyKind {
  /** By the device, from pinned memory. */
  TO_DEVICE(1),
  /** By the device, to pinned memory. */
  FROM_DEVICE(2),
  /** By the device, inside it. */
  IN_DEVICE(3),
  /** Through a pinned buffer, which the host fills when the stream comes to it. */
  STAGED_TO_DEVICE(1),
  /** Through a pinned buffer, which the host empties before the stream goes on. */
  STAGED_FROM_DEVICE(2),
  /** By the host, when the stream comes to it. */
  ON_HOST(0);

  /** In {@code hipMemcpyKind}. */
  final int code;

  CopyKind(int code) {
    this.code = code;
  }

  static CopyKind of(MemoryKind from, MemoryKind to) {
    if (from == MemoryKind.DEVICE) {
      return switch (to) {
        case DEVICE -> IN_DEVICE;
        case PINNED -> FROM_DEVICE;
        case HOST -> STAGED_FROM_DEVICE;
      };
    }
    if (to != MemoryKind.DEVICE) {
      return ON_HOST;
    }
    return from == MemoryKind.PINNED ? TO_DEVICE : STAGED_TO_DEVICE;
  }
}
