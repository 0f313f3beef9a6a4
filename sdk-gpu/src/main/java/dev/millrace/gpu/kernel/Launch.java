package dev.millrace.gpu.kernel;

/**
 * How many threads run a kernel: blocks in a grid, threads in a block, each in three dimensions.
 *
 * @param gridX blocks
 * @param gridY blocks
 * @param gridZ blocks
 * @param blockX threads
 * @param blockY threads
 * @param blockZ threads
 * @param sharedBytes dynamic shared memory of a block, in bytes
 */
public record Launch(
    int gridX, int gridY, int gridZ, int blockX, int blockY, int blockZ, int sharedBytes) {

  /**
   * Checks that there is something to run; the limits of device and kernel are checked at launch.
   *
   * @param gridX blocks
   * @param gridY blocks
   * @param gridZ blocks
   * @param blockX threads
   * @param blockY threads
   * @param blockZ threads
   * @param sharedBytes dynamic shared memory of a block, in bytes
   * @throws IllegalArgumentException if a dimension is less than 1, or the memory less than 0
   */
  public Launch {
    requirePositive("gridX", gridX);
    requirePositive("gridY", gridY);
    requirePositive("gridZ", gridZ);
    requirePositive("blockX", blockX);
    requirePositive("blockY", blockY);
    requirePositive("blockZ", blockZ);
    if (sharedBytes < 0) {
      throw new IllegalArgumentException(
          "launch sharedBytes=" + sharedBytes + ": expected 0 or more");
    }
  }

  private static void requirePositive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException("launch " + name + "=" + value + ": expected 1 or more");
    }
  }

  /**
   * One dimension.
   *
   * @param blocks of the grid
   * @param threads of a block
   * @return the launch
   */
  public static Launch of(int blocks, int threads) {
    return new Launch(blocks, 1, 1, threads, 1, 1, 0);
  }

  /**
   * One dimension, with as many blocks as it takes for a thread an element.
   *
   * @param elements how many, 1 or more
   * @param threads of a block
   * @return the launch; its last block may have threads without an element
   * @throws IllegalArgumentException if that is more blocks than an int counts
   */
  public static Launch covering(long elements, int threads) {
    requirePositive("threads", threads);
    long blocks = Math.ceilDiv(elements, (long) threads);
    if (blocks < 1 || blocks > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "launch elements=" + elements + " threads=" + threads + ": blocks=" + blocks);
    }
    return of((int) blocks, threads);
  }

  /**
   * Sets the grid.
   *
   * @param x blocks
   * @param y blocks
   * @param z blocks
   * @return a copy with that grid
   */
  public Launch withGrid(int x, int y, int z) {
    return new Launch(x, y, z, blockX, blockY, blockZ, sharedBytes);
  }

  /**
   * Sets the block.
   *
   * @param x threads
   * @param y threads
   * @param z threads
   * @return a copy with that block
   */
  public Launch withBlock(int x, int y, int z) {
    return new Launch(gridX, gridY, gridZ, x, y, z, sharedBytes);
  }

  /**
   * Sets the dynamic shared memory.
   *
   * @param bytes of a block
   * @return a copy with that much
   */
  public Launch withSharedBytes(int bytes) {
    return new Launch(gridX, gridY, gridZ, blockX, blockY, blockZ, bytes);
  }

  long threads() {
    return (long) blockX * blockY * blockZ;
  }

  @Override
  public String toString() {
    return "grid=(%d, %d, %d) block=(%d, %d, %d) sharedBytes=%d"
        .formatted(gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes);
  }
}
