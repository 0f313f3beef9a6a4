package dev.millrace.stream;

import dev.millrace.tensor.Tensor;

/** What a copy on its way keeps alive, until it is run: once, when the copy is done. */
record CopyInFlight(DeviceStream stream, Tensor from, Tensor to) implements Runnable {

  static CopyInFlight hold(DeviceStream stream, Tensor from, Tensor to) {
    stream.acquire("copy on");
    try {
      from.retain();
    } catch (IllegalStateException e) {
      stream.release();
      throw e;
    }
    try {
      to.retain();
    } catch (IllegalStateException e) {
      from.release();
      stream.release();
      throw e;
    }
    return new CopyInFlight(stream, from, to);
  }

  @Override
  public void run() {
    try {
      to.release();
      from.release();
    } finally {
      stream.release();
    }
  }
}
