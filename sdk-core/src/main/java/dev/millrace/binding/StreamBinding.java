package dev.millrace.binding;

import dev.millrace.handle.StreamHandle;

/**
 * For as long as this is open, a context and its participants look at a stream. Closing it puts
 * each participant back where it was, also when what happened in between threw.
 *
 * <p>Bindings nest. Closing one closes those that were opened after it, innermost first; closing
 * one twice does nothing. A binding is closed on the thread that opened it.
 */
public final class StreamBinding implements AutoCloseable {
  private final BindingStack stack;
  private final int depth;
  private final long serial;

  // Nobody keeps a binding but its user, so that the compiler can do without the object.
  StreamBinding(BindingStack stack, int depth, long serial) {
    this.stack = stack;
    this.depth = depth;
    this.serial = serial;
  }

  /**
   * The stream of this binding.
   *
   * @return its handle
   * @throws IllegalStateException if the binding is closed
   */
  public StreamHandle stream() {
    return stack.streamOf(depth, serial);
  }

  /**
   * Puts the participants back, in reverse order.
   *
   * @throws IllegalStateException on another thread than the one that opened it; nothing changes
   * @throws dev.millrace.error.DeviceException if a participant could not be put back: the others
   *     were, and the context refuses to bind until that one is detached
   */
  @Override
  public void close() {
    stack.close(depth, serial);
  }
}
