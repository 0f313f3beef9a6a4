package dev.millrace.stream;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.millrace.binding.BindingStack;
import dev.millrace.error.DeviceException;
import dev.millrace.handle.StreamHandle;
import dev.millrace.handle.StreamOptions;
import dev.millrace.lifetime.HoldCount;
import dev.millrace.lifetime.LeakWatch;
import dev.millrace.spi.DeviceDriver;
import dev.millrace.spi.HostWork;
import dev.millrace.tensor.Tensor;
import dev.millrace.trace.Trace;
import dev.millrace.trace.TraceEvent;
import dev.millrace.trace.TraceEvent.StreamRole;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a stream: work that is submitted to it runs in order. Any thread.
 *
 * <p>Something that goes wrong after its submission is reported once, by the stream's next {@link
 * #synchronize()} or by the next run, copy or call submitted to it; the stream goes on with later
 * work. The failure of a run is also kept by its {@code Run}.
 *
 * <p>Closing never waits: work that was submitted still completes, then the native stream is given
 * back. A stream that is bound refuses to be closed.
 */
public final class DeviceStream implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.millrace.stream");

  /** Stands for the owner of a stream that this library made. */
  private static final Object OURS = new Object();

  private static final int CLOSED = Integer.MIN_VALUE / 2;

  private final Device device;
  private final long address;
  private final long traceId;
  private final boolean owned;
  private final Lifetime lifetime;
  private final @Nullable LeakWatch watch;

  /** How many bindings look at this stream; {@link #CLOSED} and less once it is closed. */
  private final AtomicInteger bindings = new AtomicInteger();

  private final BindingStack.Pin pin = new Pin();
  private final List<Throwable> failures = new ArrayList<>();
  private volatile boolean failed;

  /** Gives the native stream back when neither its owner nor work in flight needs it. */
  private static final class Lifetime {
    final HoldCount holds = new HoldCount();
    private final DeviceDriver driver;
    private final long address;
    private final long traceId;
    private @Nullable Object owner;

    Lifetime(DeviceDriver driver, long address, @Nullable Object owner) {
      this.driver = driver;
      this.address = address;
      this.owner = owner;
      this.traceId = driver.traceId(address);
    }

    void release() {
      if (!holds.release()) {
        return;
      }
      if (owner == OURS) {
        driver.destroyStream(address);
      } else if (owner != null) {
        driver.releaseStream(address);
      }
      owner = null; // an adopted stream's owner was kept reachable until now
      Trace.streamClosed(new TraceEvent.StreamClosed(traceId, System.nanoTime()));
    }
  }

  private DeviceStream(
      Device device, long address, @Nullable Object owner, boolean blocking, StreamRole role) {
    this.device = device;
    this.address = address;
    this.owned = owner == OURS;
    Lifetime ended = new Lifetime(device.driver(), address, owner);
    this.lifetime = ended;
    this.traceId = ended.traceId;
    this.watch = role == StreamRole.NULL ? null : watch(ended);
    Trace.streamOpened(
        new TraceEvent.StreamOpened(
            traceId, device.label(), address, blocking, role, System.nanoTime()));
  }

  private LeakWatch watch(Lifetime ended) {
    Device from = device;
    long at = address;
    long ticket = from.opened(this);
    return LeakWatch.on(
        this,
        "DeviceStream",
        () -> {
          from.forget(at, ticket);
          ended.release();
        });
  }

  static DeviceStream create(Device device, StreamOptions options, StreamRole role) {
    long address = device.driver().createStream(options);
    return new DeviceStream(device, address, OURS, options.isBlocking(), role);
  }

  static DeviceStream ofNull(Device device) {
    return new DeviceStream(device, 0, null, true, StreamRole.NULL);
  }

  static DeviceStream ofAdopted(Device device, long address, Object owner) {
    return new DeviceStream(device, address, owner, true, StreamRole.CALLER);
  }

  /**
   * The stream's device.
   *
   * @return the device that made it
   */
  public Device device() {
    return device;
  }

  /**
   * The stream for other libraries.
   *
   * @return its handle, good until the stream is closed
   */
  public StreamHandle handle() {
    return new StreamHandle(device.id(), address("take the handle of"));
  }

  /**
   * Whether closing this destroys the native stream.
   *
   * @return false for adopted streams and the null stream
   */
  public boolean isOwned() {
    return owned;
  }

  /**
   * The id under which the trace knows this stream.
   *
   * @return a number unique in the process
   */
  public long traceId() {
    return traceId;
  }

  /**
   * Makes an event stand for the point up to which work has been submitted.
   *
   * @param event an event of the same device
   */
  public void record(DeviceEvent event) {
    event.checkDevice(device, "record");
    with("record on", event, device.driver()::recordEvent);
  }

  /**
   * Holds later work of this stream until the event's record that is now the latest is reached.
   *
   * @param event an event of the same device
   */
  public void waitFor(DeviceEvent event) {
    event.checkDevice(device, "wait for");
    with("wait on", event, (address, stream) -> device.driver().waitEvent(stream, address));
  }

  /** A call with an event and this stream, both of which other threads may close meanwhile. */
  private interface EventCall {
    void accept(long event, long stream);
  }

  private void with(String act, DeviceEvent event, EventCall call) {
    long stream = acquire(act);
    try {
      long address = event.acquire(act + " " + this);
      try {
        call.accept(address, stream);
      } finally {
        event.release();
      }
    } finally {
      release();
    }
  }

  /**
   * Copies a tensor in stream order. Both memories are kept alive until that is done.
   *
   * @param from the source; its shape may still depend on an earlier run of this stream
   * @param to the destination, of the same type and size
   */
  public void copy(Tensor from, Tensor to) {
    checkCopy(from, to);
    submit(CopyInFlight.hold(this, from, to));
  }

  private void checkCopy(Tensor from, Tensor to) {
    checkPlace(Objects.requireNonNull(from, "from"));
    checkPlace(Objects.requireNonNull(to, "to"));
    if (from.type() != to.type() || (!from.isPending() && from.byteSize() != to.byteSize())) {
      throw new IllegalArgumentException(
          "copy " + from + " to " + to + ": expected the same type and size");
    }
    if (to.isReadOnly()) {
      throw new UnsupportedOperationException("copy to " + to + ": its memory is read-only");
    }
  }

  /** Wrapped memory is nobody's; what a pending tensor will have is the device's that it names. */
  private void checkPlace(Tensor tensor) {
    boolean anywhere = !tensor.isPending() && tensor.memory().isWrapped();
    if (!anywhere && !tensor.device().equals(device.id())) {
      throw new IllegalArgumentException(
          "copy on " + this + ": given " + tensor + ", expected a tensor of " + device.id());
    }
  }

  private void submit(CopyInFlight copy) {
    DeviceDriver driver = device.driver();
    boolean submitted = false;
    try {
      throwFailures("copy on");
    } catch (RuntimeException e) {
      copy.run();
      throw e;
    }
    try (ScratchEvent done = ScratchEvent.of(driver)) {
      driver.copy(address, copy.from(), copy.to());
      submitted = true;
      watch(copy, done);
    } catch (RuntimeException | Error e) {
      if (!submitted) {
        copy.run();
      }
      throw e;
    }
  }

  private void watch(CopyInFlight copy, ScratchEvent done) {
    DeviceDriver driver = device.driver();
    try {
      driver.recordEvent(done.address(), address);
      driver.whenDone(done.address(), copy);
    } catch (RuntimeException | Error e) {
      waitInstead(copy, e);
      throw e;
    }
  }

  /** The work is there and cannot be watched: nothing may be freed under it. */
  private void waitInstead(CopyInFlight copy, Throwable failure) {
    try {
      device.driver().synchronizeStream(address, Long.MAX_VALUE);
      copy.run();
    } catch (RuntimeException | Error e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Runs a function on a host thread in stream order; the stream stands still until it returns. It
   * may wait for other streams, not for this one. What it throws is the stream's failure.
   *
   * @param function what to run
   */
  public void call(Runnable function) {
    Objects.requireNonNull(function, "function");
    HostWork work = function::run;
    long stream = acquire("call on");
    try {
      throwFailures("call on");
      device.driver().call(stream, work);
    } finally {
      release();
    }
  }

  /**
   * Whether everything that was submitted is done.
   *
   * @return true if nothing is outstanding
   */
  public boolean isIdle() {
    long stream = acquire("query");
    try {
      return device.driver().isStreamIdle(stream);
    } finally {
      release();
    }
  }

  /**
   * Waits for everything that was submitted before the call. An interrupt does not end the wait;
   * the thread's flag is kept.
   *
   * @throws DeviceException if something submitted earlier went wrong and nobody was told yet
   */
  public void synchronize() {
    awaitAndThrow(Long.MAX_VALUE);
  }

  /**
   * Waits for everything that was submitted before the call, but not for ever.
   *
   * @param timeout how long at most
   * @throws TimeoutException if there was more to do
   * @throws DeviceException if something submitted earlier went wrong and nobody was told yet
   */
  public void synchronize(Duration timeout) throws TimeoutException {
    Objects.requireNonNull(timeout, "timeout");
    if (!awaitAndThrow(NANOSECONDS.convert(timeout))) {
      throw new TimeoutException("synchronize " + this + " timeout=" + timeout);
    }
  }

  private boolean awaitAndThrow(long timeoutNs) {
    long stream = acquire("synchronize");
    try {
      boolean done = await(stream, timeoutNs);
      if (done) {
        throwFailures("synchronize");
      }
      return done;
    } finally {
      release();
    }
  }

  private boolean await(long stream, long timeoutNs) {
    long beganNs = System.nanoTime();
    boolean done = device.driver().synchronizeStream(stream, timeoutNs);
    if (Trace.isOn()) {
      Trace.emit(
          new TraceEvent.HostSynced(
              Thread.currentThread().threadId(),
              beganNs,
              System.nanoTime(),
              traceId,
              0,
              0,
              TraceEvent.HostWait.BLOCKED,
              Trace.currentRun()));
    }
    return done;
  }

  /**
   * For code that submits work through the address: keeps the native stream alive until {@link
   * #release()}, even if the stream is closed meanwhile.
   *
   * @param act what is about to happen, for the message
   * @return the address
   * @throws IllegalStateException if the stream is closed
   */
  public long acquire(String act) {
    if (!isOpen() || !lifetime.holds.retain()) {
      throw closed(act);
    }
    return address;
  }

  /**
   * The address for a holder of {@link #acquire}, also after the stream was closed.
   *
   * @return what {@link #acquire} gave
   */
  public long acquired() {
    return address;
  }

  /** Ends one {@link #acquire}. Never throws: there may be nobody who could be told. */
  public void release() {
    try {
      lifetime.release();
    } catch (DeviceException e) {
      LOG.log(System.Logger.Level.WARNING, "close " + this, e);
    }
  }

  /**
   * For code that submits work through the address: something went wrong after its submission. The
   * stream's next {@link #synchronize()} or submission reports it.
   *
   * @param failure what went wrong
   */
  public void reportLater(Throwable failure) {
    synchronized (failures) {
      failures.add(failure);
      failed = true;
    }
  }

  /**
   * Takes back a failure that somebody was told of in another way.
   *
   * @param failure what was passed to {@link #reportLater}
   */
  public void withdraw(Throwable failure) {
    synchronized (failures) {
      failures.removeIf(failure::equals);
      failed = !failures.isEmpty();
    }
  }

  /**
   * Throws what went wrong on this stream and was not reported yet.
   *
   * @param act what is about to happen, or has
   * @throws DeviceException the first failure, with the others suppressed
   */
  public void throwFailures(String act) {
    List<Throwable> all = device.driver().takeFailures(address);
    if (!all.isEmpty() || failed) {
      throwFirst(act, takeAll(all));
    }
  }

  private List<Throwable> takeAll(List<Throwable> fromDriver) {
    synchronized (failures) {
      List<Throwable> all = new ArrayList<>(failures);
      all.addAll(fromDriver);
      failures.clear();
      failed = false;
      return all;
    }
  }

  private void throwFirst(String act, List<Throwable> all) {
    if (all.isEmpty()) {
      return;
    }
    Throwable first = all.getFirst();
    DeviceException reported =
        DeviceException.of(
            act + " " + this + ": earlier work failed", device.id(), "asynchronous work", first);
    all.stream().skip(1).forEach(reported::addSuppressed);
    throw reported;
  }

  long address(String act) {
    if (!isOpen()) {
      throw closed(act);
    }
    return address;
  }

  private IllegalStateException closed(String act) {
    return new IllegalStateException(act + " closed " + this);
  }

  /**
   * Refuses a stream of another device, or one that is closed.
   *
   * @param expected the device that is asked to use it
   * @param act what is about to happen, for the message
   * @throws IllegalArgumentException for another device's stream, with both names
   * @throws IllegalStateException for a closed stream
   */
  public void checkUsable(Device expected, String act) {
    if (device != expected) {
      throw new IllegalArgumentException(
          act + " " + this + ": expected a stream of " + expected.label());
    }
    address(act);
  }

  /** One atomic step each: binding is on the path of every external run. */
  private final class Pin implements BindingStack.Pin {
    @Override
    public void pin() {
      if (bindings.getAndIncrement() < 0) {
        bindings.getAndDecrement();
        throw closed("bind");
      }
    }

    @Override
    public void unpin() {
      bindings.getAndDecrement();
    }
  }

  BindingStack.Pin pin() {
    return pin;
  }

  private boolean isOpen() {
    return bindings.get() >= 0;
  }

  /** The null stream ends with its device, bound or not; nobody else closes it. */
  void closeWithDevice() {
    bindings.getAndAdd(CLOSED);
  }

  @Override
  public void close() {
    if (watch == null || !isOpen()) {
      return;
    }
    try {
      if (bindings.compareAndSet(0, CLOSED)) {
        watch.close();
      } else if (isOpen()) {
        throw new IllegalStateException("close " + this + " while it is bound");
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public String toString() {
    return (address == 0 ? "null stream" : "stream=0x" + Long.toHexString(address))
        + " of "
        + device.label();
  }
}
