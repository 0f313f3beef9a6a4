package dev.millrace.gpu.kernel;

import java.util.List;

/**
 * What a code object says of one of its kernels.
 *
 * @param name by which the module is asked for it
 * @param symbol the name of its descriptor in the code object
 * @param argumentBytes the size of its block of arguments, those that the runtime adds included
 * @param sharedBytes shared memory of a block that it always uses
 * @param maxThreads threads of a block that it was compiled for; 0 where that is not said
 * @param parameters those that the caller gives, in order
 */
public record KernelDescription(
    String name,
    String symbol,
    int argumentBytes,
    int sharedBytes,
    int maxThreads,
    List<KernelParameter> parameters) {

  /**
   * Makes a description.
   *
   * @param name by which the module is asked for it
   * @param symbol the name of its descriptor
   * @param argumentBytes the size of its block of arguments
   * @param sharedBytes shared memory of a block that it always uses
   * @param maxThreads threads of a block that it was compiled for; 0 where that is not said
   * @param parameters those that the caller gives, in order
   */
  public KernelDescription {
    parameters = List.copyOf(parameters);
  }
}
