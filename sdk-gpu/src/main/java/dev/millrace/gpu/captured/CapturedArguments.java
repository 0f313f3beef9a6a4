package dev.millrace.gpu.captured;

import dev.millrace.spi.PreparedArguments;
import dev.millrace.tensor.Tensor;

/** The tensors of a run, and the addresses of those at which the graph is pointed. */
final class CapturedArguments implements PreparedArguments {
  private final Tensor[] tensors;

  /** 0 for those that are copied. */
  private final long[] addresses;

  CapturedArguments(Tensor[] tensors, long[] addresses) {
    this.tensors = tensors;
    this.addresses = addresses;
  }

  Tensor tensor(int slot) {
    return tensors[slot];
  }

  long address(int slot) {
    return addresses[slot];
  }

  long[] addresses() {
    return addresses;
  }

  @Override
  public void close() {
    // It holds nothing but what its caller keeps.
  }
}
