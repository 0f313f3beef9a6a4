package dev.millrace.gpu.kernel;

import dev.millrace.gpu.ffi.HipDevices;

/**
 * What a device can launch at once. Numbers of attributes are those of {@code
 * hipDeviceAttribute_t}.
 *
 * @param gridX blocks
 * @param gridY blocks
 * @param gridZ blocks
 * @param blockX threads
 * @param blockY threads
 * @param blockZ threads
 * @param threads of a block, in all
 * @param sharedBytes of a block
 */
record LaunchLimits(
    int gridX,
    int gridY,
    int gridZ,
    int blockX,
    int blockY,
    int blockZ,
    int threads,
    int sharedBytes) {
  private static final int MAX_BLOCK_X = 26;
  private static final int MAX_GRID_X = 29;
  private static final int MAX_THREADS = 56;
  private static final int MAX_SHARED_BYTES = 74;

  /** HIP counts the threads of a grid's dimension in 32 bits. */
  private static final long MAX_GRID_THREADS = 0xffff_ffffL;

  static LaunchLimits of(int ordinal) {
    return new LaunchLimits(
        HipDevices.attribute(MAX_GRID_X, ordinal),
        HipDevices.attribute(MAX_GRID_X + 1, ordinal),
        HipDevices.attribute(MAX_GRID_X + 2, ordinal),
        HipDevices.attribute(MAX_BLOCK_X, ordinal),
        HipDevices.attribute(MAX_BLOCK_X + 1, ordinal),
        HipDevices.attribute(MAX_BLOCK_X + 2, ordinal),
        HipDevices.attribute(MAX_THREADS, ordinal),
        HipDevices.attribute(MAX_SHARED_BYTES, ordinal));
  }

  void check(KernelDescription kernel, Launch launch) {
    atMost(kernel, "gridX", launch.gridX(), gridX);
    atMost(kernel, "gridY", launch.gridY(), gridY);
    atMost(kernel, "gridZ", launch.gridZ(), gridZ);
    atMost(kernel, "blockX", launch.blockX(), blockX);
    atMost(kernel, "blockY", launch.blockY(), blockY);
    atMost(kernel, "blockZ", launch.blockZ(), blockZ);
    int most = kernel.maxThreads() == 0 ? threads : Math.min(threads, kernel.maxThreads());
    atMost(kernel, "threads of a block", launch.threads(), most);
    atMost(kernel, "threads in x", (long) launch.gridX() * launch.blockX(), MAX_GRID_THREADS);
    atMost(kernel, "threads in y", (long) launch.gridY() * launch.blockY(), MAX_GRID_THREADS);
    atMost(kernel, "threads in z", (long) launch.gridZ() * launch.blockZ(), MAX_GRID_THREADS);
    long shared = (long) kernel.sharedBytes() + launch.sharedBytes();
    atMost(kernel, "shared bytes of a block", shared, sharedBytes);
  }

  private static void atMost(KernelDescription kernel, String name, long given, long limit) {
    if (given > limit) {
      throw new IllegalArgumentException(
          "launch kernel="
              + kernel.name()
              + ": given "
              + name
              + "="
              + given
              + ", expected at most "
              + limit);
    }
  }
}
