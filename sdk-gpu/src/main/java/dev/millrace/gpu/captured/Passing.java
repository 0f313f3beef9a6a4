package dev.millrace.gpu.captured;

/** How a captured program gets at the tensors of a run. */
public enum Passing {
  /**
   * The captured work uses a buffer of the lane; each run copies the tensor in before it, or out
   * after it, in stream order. Good for everything, libraries included.
   */
  FIXED,
  /**
   * The captured launches, copies and fills of {@link CaptureScope} and {@code Kernel} are pointed
   * at the run's own tensor, where it is another than the last run's: nothing is copied. Launches
   * of libraries cannot be pointed at other memory, and refuse such a tensor.
   */
  REPOINTED
}
