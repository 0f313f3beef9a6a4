package dev.millrace.gpu.kernel;

import dev.millrace.spi.DeviceDriver;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.Tensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What enqueued work keeps alive, let go when it is run: once, when the work is done. Used again by
 * later work of the same owner.
 */
final class WorkInFlight implements Runnable {
  private final WorkPool pool;
  private final DeviceDriver driver;
  private @Nullable Tensor[] tensors = new @Nullable Tensor[8];
  private int held;
  private @Nullable DeviceStream stream;

  /** Recorded after the work; 0 until it is needed first. */
  private long done;

  /** The next of the pool's idle ones. */
  @Nullable WorkInFlight nextIdle;

  WorkInFlight(WorkPool pool, DeviceDriver driver) {
    this.pool = pool;
    this.driver = driver;
  }

  /** Keeps a tensor; those of one piece of work are kept one after the other. */
  void keep(Tensor tensor) {
    tensor.retain();
    if (held == tensors.length) {
      tensors = Arrays.copyOf(tensors, 2 * held);
    }
    tensors[held++] = tensor;
  }

  /** Keeps the native stream, whose caller has acquired it. */
  void keepAcquired(DeviceStream acquired) {
    stream = acquired;
  }

  /** The work is enqueued: lets go when the device is done with it. */
  void watch(long streamAddress) {
    try {
      if (done == 0) {
        done = driver.createEvent();
      }
      driver.recordEvent(done, streamAddress);
      driver.whenDone(done, this);
    } catch (RuntimeException | Error e) {
      waitInstead(streamAddress, e);
      throw e;
    }
  }

  /** The work is there and cannot be watched: nothing may be freed under it. */
  private void waitInstead(long streamAddress, Throwable failure) {
    try {
      driver.synchronizeStream(streamAddress, Long.MAX_VALUE);
      run();
    } catch (RuntimeException | Error e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public void run() {
    while (held > 0) {
      Tensor tensor = tensors[--held];
      tensors[held] = null;
      if (tensor != null) {
        tensor.release();
      }
    }
    DeviceStream acquired = stream;
    stream = null;
    if (acquired != null) {
      acquired.release();
    }
    pool.idle(this);
  }

  void destroyEvent() {
    if (done != 0) {
      driver.destroyEvent(done);
      done = 0;
    }
  }
}
