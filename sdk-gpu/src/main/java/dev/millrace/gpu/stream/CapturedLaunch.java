package dev.millrace.gpu.stream;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.gpu.ffi.HipGraphs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A launch in a captured graph, with arguments of its own, so that the instantiated graph can be
 * told others. Offsets are those of {@code hipKernelNodeParams}, 64 bytes.
 */
public final class CapturedLaunch {
  private static final long PARAMS_BYTES = 64;
  private static final long BLOCK = 0;
  private static final long FUNCTION = 24;
  private static final long GRID = 32;
  private static final long ARGUMENTS = 48;
  private static final long SHARED_BYTES = 56;

  private final MemorySegment values;
  private final MemorySegment params;

  /** Kept: the struct points to it. */
  private final MemorySegment pointers;

  private final long[] pointerOffsets;

  /**
   * Copies a launch.
   *
   * @param function the kernel
   * @param grid blocks in three dimensions
   * @param block threads in three dimensions
   * @param sharedBytes dynamic shared memory
   * @param values the arguments' values; an argument begins at each of the offsets
   * @param offsets of all arguments, in order
   * @param pointerOffsets of those that are pointers
   */
  public CapturedLaunch(
      long function,
      int[] grid,
      int[] block,
      int sharedBytes,
      MemorySegment values,
      long[] offsets,
      long[] pointerOffsets) {
    Arena arena = Arena.ofAuto();
    this.values = arena.allocate(Math.max(1, values.byteSize()), Long.BYTES).copyFrom(values);
    this.pointers = arena.allocate(JAVA_LONG, Math.max(1, offsets.length));
    this.pointerOffsets = pointerOffsets.clone();
    for (int i = 0; i < offsets.length; i++) {
      pointers.setAtIndex(JAVA_LONG, i, this.values.address() + offsets[i]);
    }
    this.params = arena.allocate(PARAMS_BYTES, Long.BYTES);
    for (int i = 0; i < 3; i++) {
      params.set(JAVA_INT, BLOCK + (long) i * Integer.BYTES, block[i]);
      params.set(JAVA_INT, GRID + (long) i * Integer.BYTES, grid[i]);
    }
    params.set(JAVA_LONG, FUNCTION, function);
    params.set(JAVA_LONG, ARGUMENTS, pointers.address());
    params.set(JAVA_INT, SHARED_BYTES, sharedBytes);
  }

  /**
   * How many of the arguments are pointers.
   *
   * @return 0 or more
   */
  public int pointerCount() {
    return pointerOffsets.length;
  }

  /**
   * Where a pointer points.
   *
   * @param index which of the pointers
   * @return the address
   */
  public long pointer(int index) {
    return values.get(JAVA_LONG, pointerOffsets[index]);
  }

  /**
   * Sets a pointer; the graph is told by {@link #apply}.
   *
   * @param index which of the pointers
   * @param address where it points from now on
   */
  public void setPointer(int index, long address) {
    values.set(JAVA_LONG, pointerOffsets[index], address);
  }

  /**
   * Tells an instantiated graph the arguments of its later launches.
   *
   * @param exec the instantiated graph
   * @param node the launch's node in the graph
   */
  public void apply(long exec, long node) {
    HipGraphs.graphExecKernelNodeSetParams(exec, node, params.address());
  }
}
