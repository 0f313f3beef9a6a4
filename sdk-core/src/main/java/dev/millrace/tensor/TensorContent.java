package dev.millrace.tensor;

import dev.millrace.lifetime.HoldCount;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The part of a tensor that runs in flight keep: its memory, once that is known, and who holds it.
 * The first hold is the tensor's own. Any thread, without a lock.
 */
final class TensorContent {
  /** What is known of the memory. */
  sealed interface State {}

  /** Memory and shape are there. */
  record Ready(DeviceMemory memory, Shape shape, long byteSize) implements State {}

  /** The run that should have made them failed. */
  record Failed(String reason) implements State {}

  /** There is no memory. */
  enum Without implements State {
    /** A run will bring it. */
    PENDING,
    /** Nobody holds the tensor any more, so that memory which still comes is freed at once. */
    ABANDONED
  }

  private final HoldCount holds = new HoldCount();
  private final AtomicReference<State> state;

  TensorContent(State state) {
    this.state = new AtomicReference<>(state);
  }

  State state() {
    return state.get();
  }

  @Nullable Ready ready() {
    return state.get() instanceof Ready ready ? ready : null;
  }

  boolean isHeld() {
    return holds.isHeld();
  }

  boolean retain() {
    return holds.retain();
  }

  void release() {
    if (holds.release() && !state.compareAndSet(Without.PENDING, Without.ABANDONED)) {
      freeMemory();
    }
  }

  private void freeMemory() {
    if (state.get() instanceof Ready ready) {
      ready.memory().release();
    }
  }

  /**
   * Takes over the hold on the memory, or lets go of it if nobody wants it any more.
   *
   * @return false if there was memory or a failure before; the hold then stays with the caller
   */
  boolean resolve(Ready ready) {
    if (state.compareAndSet(Without.PENDING, ready)) {
      return true;
    }
    if (state.get() == Without.ABANDONED) {
      ready.memory().release();
      return true;
    }
    return false;
  }

  void fail(String reason) {
    state.compareAndSet(Without.PENDING, new Failed(reason));
  }
}
