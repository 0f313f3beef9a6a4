package dev.millrace.stream;

import dev.millrace.binding.BindingStack;
import dev.millrace.binding.StreamBinding;
import dev.millrace.binding.StreamBound;
import dev.millrace.handle.StreamHandle;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A stream of its own, and the library handles that go where it goes. While nothing is bound the
 * context looks at its own stream, a non-blocking one; {@link #bind} points it and its participants
 * at the caller's.
 *
 * <p>One thread at a time; while a binding is open, the thread that opened it.
 */
public final class StreamContext implements AutoCloseable {
  private final Device device;
  private final DeviceStream own;
  private final BindingStack bindings;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final long ticket;

  StreamContext(Device device) {
    this.device = device;
    this.own = device.newOwnStream();
    this.bindings =
        new BindingStack(device.driver(), own.address("make a context on"), device::pinOf);
    this.own.pin().pin(); // nobody but the context closes it
    this.ticket = device.opened(this);
  }

  /**
   * Adds a handle of the application. While a binding is open the handle is the context's alone;
   * afterwards it is where it was.
   *
   * @param participant the handle
   */
  public void attach(StreamBound participant) {
    checkOpen("attach to");
    bindings.attach(participant, false);
  }

  /**
   * Adds a handle that was made for this context: while nothing is bound it looks at the own
   * stream, also if it was made while something was bound.
   *
   * @param participant the handle
   */
  public void attachNew(StreamBound participant) {
    checkOpen("attach to");
    bindings.attach(participant, true);
  }

  /**
   * Removes a handle, leaving it where it is.
   *
   * @param participant a handle that was attached
   * @throws IllegalStateException while a binding is open
   */
  public void detach(StreamBound participant) {
    checkOpen("detach from");
    bindings.detach(participant);
  }

  /**
   * The handles that were attached.
   *
   * @return in the order in which they were attached
   */
  public List<StreamBound> participants() {
    checkOpen("ask");
    bindings.checkThread("ask a context");
    return bindings.participants();
  }

  /**
   * Points the context and its participants at a stream until the binding is closed.
   *
   * @param stream a stream of the same device; its null stream is one too
   * @return the open binding
   * @throws IllegalArgumentException for a stream of another device
   * @throws IllegalStateException for a closed stream, or on another thread than the one that has a
   *     binding open; nothing changes
   * @throws dev.millrace.error.DeviceException if a participant could not be pointed there; all are
   *     back where they were
   */
  public StreamBinding bind(DeviceStream stream) {
    checkOpen("bind");
    stream.checkUsable(device, "bind");
    return bindings.bind(stream.address("bind"), stream.pin());
  }

  /**
   * As {@link #bind(DeviceStream)}, for code on the path of every run: no object stands for the
   * binding, which {@link #leave} closes on the same thread. The thread stays on its thread of the
   * operating system until then.
   *
   * @param stream a stream of the same device
   * @param capturing whether it is being captured: then participants are pointed there without
   *     events, so that nothing of ours gets into the capture
   */
  public void enter(DeviceStream stream, boolean capturing) {
    checkOpen("bind");
    stream.checkUsable(device, "bind");
    bindings.enter(stream.address("bind"), stream.pin(), capturing);
  }

  /**
   * Closes the binding of the last {@link #enter}.
   *
   * @param failure what the bound work threw, which keeps what fails here; null if it did not
   */
  public void leave(@Nullable Throwable failure) {
    bindings.leaveInnermost(failure);
  }

  /**
   * The stream at which the context looks.
   *
   * @return the innermost bound stream, else the own one
   */
  public StreamHandle current() {
    checkOpen("ask");
    bindings.checkThread("ask a context");
    return new StreamHandle(device.id(), bindings.current());
  }

  /**
   * The stream at which the context looks, as its owner.
   *
   * @return the innermost bound stream, else the own one
   */
  public DeviceStream stream() {
    checkOpen("ask");
    bindings.checkThread("use a context");
    DeviceStream known = bindings.isBound() ? device.streamAt(bindings.current()) : own;
    return Objects.requireNonNull(known, "a bound stream is open");
  }

  /**
   * Does something with the stream at which the context looks, its participants pointed there for
   * as long.
   *
   * @param use what to do
   * @param <T> what it gives
   * @return what it gave
   */
  public <T> T onStream(Function<DeviceStream, T> use) {
    if (isExternal()) {
      return use.apply(stream());
    }
    try (StreamBinding _ = bind(own)) {
      return use.apply(own);
    }
  }

  /**
   * The context's own stream.
   *
   * @return a non-blocking stream that closes with the context
   */
  public DeviceStream own() {
    return own;
  }

  /**
   * Whether a caller's stream is bound.
   *
   * @return false where the own stream counts
   */
  public boolean isExternal() {
    checkOpen("ask");
    bindings.checkThread("ask a context");
    return bindings.isBound();
  }

  /**
   * Makes later work of the context's stream wait for what another stream was told so far. The
   * binding does not change.
   *
   * @param stream the stream to wait for, of the same device
   */
  public void waitFor(DeviceStream stream) {
    stream.checkUsable(device, "wait for");
    join(stream, stream());
  }

  /**
   * Makes later work of another stream wait for what the context's stream was told so far. The
   * binding does not change.
   *
   * @param stream the stream that waits, of the same device
   */
  public void finishOn(DeviceStream stream) {
    stream.checkUsable(device, "finish on");
    join(stream(), stream);
  }

  private void join(DeviceStream earlier, DeviceStream later) {
    checkOpen("join with");
    try (DeviceEvent event = device.newEvent()) {
      earlier.record(event);
      later.waitFor(event);
    }
  }

  /** Waits for all that was submitted to the context's stream, which may be the bound one. */
  public void synchronize() {
    checkOpen("synchronize");
    stream().synchronize();
  }

  private void checkOpen(String act) {
    if (closed.get()) {
      throw new IllegalStateException(act + " closed context of " + device.label());
    }
  }

  /**
   * Closes open bindings, innermost first, then the own stream, whose work still completes.
   *
   * @throws IllegalStateException on another thread than the one that has a binding open
   */
  @Override
  public void close() {
    bindings.checkThread("close a context");
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    device.closed(ticket);
    try {
      bindings.close();
    } finally {
      own.pin().unpin();
      own.close();
    }
  }

  @Override
  public String toString() {
    return "context of " + device.label();
  }
}
