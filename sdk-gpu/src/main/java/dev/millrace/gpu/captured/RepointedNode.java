package dev.millrace.gpu.captured;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.gpu.ffi.HipGraphs;
import dev.millrace.gpu.stream.CapturedLaunch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A node of a captured graph whose pointers can be changed. */
abstract sealed class RepointedNode {
  private final long node;

  /** Whether a pointer was set that the instantiated graph was not told yet. */
  private boolean changed;

  private RepointedNode(long node) {
    this.node = node;
  }

  abstract int pointerCount();

  abstract long pointer(int index);

  abstract void put(int index, long address);

  abstract void tell(long exec, long graphNode);

  final void setPointer(int index, long address) {
    put(index, address);
    changed = true;
  }

  final void applyChanges(long exec) {
    if (changed) {
      tell(exec, node);
      changed = false;
    }
  }

  /** A launch of a kernel of ours. */
  static final class OfLaunch extends RepointedNode {
    private final CapturedLaunch launch;

    OfLaunch(long node, CapturedLaunch launch) {
      super(node);
      this.launch = launch;
    }

    @Override
    int pointerCount() {
      return launch.pointerCount();
    }

    @Override
    long pointer(int index) {
      return launch.pointer(index);
    }

    @Override
    void put(int index, long address) {
      launch.setPointer(index, address);
    }

    @Override
    void tell(long exec, long graphNode) {
      launch.apply(exec, graphNode);
    }
  }

  /** A copy: the source is the first pointer, the destination the second. */
  static final class OfCopy extends RepointedNode {
    private final long[] addresses;
    private final long bytes;
    private final int kind;

    OfCopy(long node, long from, long to, long bytes, int kind) {
      super(node);
      this.addresses = new long[] {from, to};
      this.bytes = bytes;
      this.kind = kind;
    }

    @Override
    int pointerCount() {
      return addresses.length;
    }

    @Override
    long pointer(int index) {
      return addresses[index];
    }

    @Override
    void put(int index, long address) {
      addresses[index] = address;
    }

    @Override
    void tell(long exec, long graphNode) {
      HipGraphs.graphExecMemcpyNodeSetParams1D(
          exec, graphNode, addresses[1], addresses[0], bytes, kind);
    }
  }

  /** A fill. Offsets are those of {@code hipMemsetParams}, 48 bytes. */
  static final class OfFill extends RepointedNode {
    private static final long PARAMS_BYTES = 48;
    private static final long ELEMENT_SIZE = 8;
    private static final long HEIGHT = 16;
    private static final long PITCH = 24;
    private static final long VALUE = 32;
    private static final long WIDTH = 40;

    private final MemorySegment params = Arena.ofAuto().allocate(PARAMS_BYTES, Long.BYTES);

    OfFill(long node, long to, int value, long bytes) {
      super(node);
      params.set(JAVA_LONG, 0, to);
      params.set(JAVA_INT, ELEMENT_SIZE, 1);
      params.set(JAVA_LONG, HEIGHT, 1);
      params.set(JAVA_LONG, PITCH, bytes);
      params.set(JAVA_INT, VALUE, value);
      params.set(JAVA_LONG, WIDTH, bytes);
    }

    @Override
    int pointerCount() {
      return 1;
    }

    @Override
    long pointer(int index) {
      return params.get(JAVA_LONG, 0);
    }

    @Override
    void put(int index, long address) {
      params.set(JAVA_LONG, 0, address);
    }

    @Override
    void tell(long exec, long graphNode) {
      HipGraphs.graphExecMemsetNodeSetParams(exec, graphNode, params.address());
    }
  }
}
