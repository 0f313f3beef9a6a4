package dev.millrace.conformance;

import dev.millrace.error.DeviceException;
import dev.millrace.handle.DeviceId;
import dev.millrace.handle.StreamOptions;
import dev.millrace.spi.DeviceDriver;
import dev.millrace.spi.DeviceFeatures;
import dev.millrace.spi.HostWork;
import dev.millrace.spi.StreamState;
import dev.millrace.tensor.DeviceMemory;
import dev.millrace.tensor.MemoryKind;
import dev.millrace.tensor.Tensor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Any device's driver, with a log of its calls, an account of what it gave out, and a fault where a
 * test wants one. Used through {@code Device.of(new FaultyDriver(driver))}.
 *
 * <p>A call that fails does nothing but throw a {@link DeviceException}; one that gives something
 * back does so first, since nobody could try it again. Questions behind which no native call stands
 * ({@code id}, {@code features}, {@code traceId}, {@code tensorKind}, {@code describe}) neither
 * fail nor are they logged.
 */
public final class FaultyDriver implements DeviceDriver {
  /** The error of every call that was made to fail. */
  public static final String ERROR = "errorWanted";

  private static final int CODE = 719;

  private final DeviceDriver driver;
  private final CallLog log = new CallLog();
  private final Map<String, Runnable> before = new HashMap<>();
  private final Set<Long> streams = ConcurrentHashMap.newKeySet();
  private final Set<Long> events = ConcurrentHashMap.newKeySet();
  private final MemoryAccount memory = new MemoryAccount();
  private final AtomicReference<@Nullable Gate> delay = new AtomicReference<>();

  /**
   * Decorates a driver.
   *
   * @param driver closes with this
   */
  public FaultyDriver(DeviceDriver driver) {
    this.driver = driver;
  }

  /**
   * What was called, and what shall fail.
   *
   * @return the log, of all threads
   */
  public CallLog log() {
    return log;
  }

  /**
   * Does something right before the next call of a function, on the thread that calls it.
   *
   * @param function the driver's method
   * @param action done once
   */
  public void before(String function, Runnable action) {
    synchronized (before) {
      before.put(function, action);
    }
  }

  /**
   * Streams that were made and not destroyed.
   *
   * @return their addresses
   */
  public Set<Long> liveStreams() {
    return Set.copyOf(streams);
  }

  /**
   * Events that were made and not destroyed.
   *
   * @return their addresses
   */
  public Set<Long> liveEvents() {
    return Set.copyOf(events);
  }

  /**
   * Memory that was allocated and not freed.
   *
   * @return bytes
   */
  public long liveBytes() {
    return memory.live();
  }

  /**
   * Lets the action of the next {@code whenDone} begin only when a test says so, as if the thread
   * that runs it were slow.
   *
   * @return where the action will stand
   */
  Gate delayDone() {
    Gate gate = new Gate();
    delay.set(gate);
    return gate;
  }

  private static void runBehind(Gate gate, Runnable action) {
    gate.pass();
    action.run();
  }

  private void enter(String function, long stream, long event) {
    failIf(arrive(function, stream, event));
  }

  /** Logs a call; gives it back if it is to fail. */
  private @Nullable DriverCall arrive(String function, long stream, long event) {
    Runnable action;
    synchronized (before) {
      action = before.remove(function);
    }
    if (action != null) {
      action.run();
    }
    return log.add(function, stream, event);
  }

  private void failIf(@Nullable DriverCall chosen) {
    if (chosen != null) {
      throw DeviceException.of("call " + chosen, id(), chosen.function(), CODE, ERROR);
    }
  }

  @Override
  public DeviceId id() {
    return driver.id();
  }

  @Override
  public DeviceFeatures features() {
    return driver.features();
  }

  @Override
  public long traceId(long stream) {
    return driver.traceId(stream);
  }

  @Override
  public MemoryKind tensorKind() {
    return driver.tensorKind();
  }

  @Override
  public List<StreamState> describe() {
    return driver.describe();
  }

  @Override
  public int makeCurrent() {
    enter("makeCurrent", DriverCall.NONE, DriverCall.NONE);
    return driver.makeCurrent();
  }

  @Override
  public void restoreCurrent(int former) {
    DriverCall chosen = arrive("restoreCurrent", DriverCall.NONE, DriverCall.NONE);
    driver.restoreCurrent(former);
    failIf(chosen);
  }

  @Override
  public boolean isCapturing(long stream) {
    enter("isCapturing", stream, DriverCall.NONE);
    return driver.isCapturing(stream);
  }

  @Override
  public long createStream(StreamOptions options) {
    enter("createStream", DriverCall.NONE, DriverCall.NONE);
    long stream = driver.createStream(options);
    streams.add(stream);
    return stream;
  }

  @Override
  public long adoptStream(long stream) {
    enter("adoptStream", stream, DriverCall.NONE);
    return driver.adoptStream(stream);
  }

  @Override
  public void releaseStream(long stream) {
    DriverCall chosen = arrive("releaseStream", stream, DriverCall.NONE);
    driver.releaseStream(stream);
    failIf(chosen);
  }

  @Override
  public DeviceMemory adoptMemory(long address, long bytes, Object owner) {
    enter("adoptMemory", DriverCall.NONE, DriverCall.NONE);
    return driver.adoptMemory(address, bytes, owner);
  }

  @Override
  public void destroyStream(long stream) {
    DriverCall chosen = arrive("destroyStream", stream, DriverCall.NONE);
    driver.destroyStream(stream);
    streams.remove(stream);
    failIf(chosen);
  }

  @Override
  public boolean isStreamIdle(long stream) {
    enter("isStreamIdle", stream, DriverCall.NONE);
    return driver.isStreamIdle(stream);
  }

  @Override
  public boolean synchronizeStream(long stream, long timeoutNs) {
    enter("synchronizeStream", stream, DriverCall.NONE);
    return driver.synchronizeStream(stream, timeoutNs);
  }

  @Override
  public List<Throwable> takeFailures(long stream) {
    enter("takeFailures", stream, DriverCall.NONE);
    return driver.takeFailures(stream);
  }

  @Override
  public long createEvent() {
    return created(driver::createEvent);
  }

  /** In the log both kinds of event are one. */
  @Override
  public long createJoinEvent() {
    return created(driver::createJoinEvent);
  }

  private long created(LongSupplier create) {
    enter("createEvent", DriverCall.NONE, DriverCall.NONE);
    long event = create.getAsLong();
    events.add(event);
    return event;
  }

  @Override
  public void destroyEvent(long event) {
    DriverCall chosen = arrive("destroyEvent", DriverCall.NONE, event);
    driver.destroyEvent(event);
    events.remove(event);
    failIf(chosen);
  }

  @Override
  public void recordEvent(long event, long stream) {
    enter("recordEvent", stream, event);
    driver.recordEvent(event, stream);
  }

  @Override
  public void waitEvent(long stream, long event) {
    enter("waitEvent", stream, event);
    driver.waitEvent(stream, event);
  }

  @Override
  public boolean isEventDone(long event) {
    enter("isEventDone", DriverCall.NONE, event);
    return driver.isEventDone(event);
  }

  @Override
  public boolean synchronizeEvent(long event, long timeoutNs) {
    enter("synchronizeEvent", DriverCall.NONE, event);
    return driver.synchronizeEvent(event, timeoutNs);
  }

  @Override
  public void whenDone(long event, Runnable action) {
    enter("whenDone", DriverCall.NONE, event);
    Gate gate = delay.getAndSet(null);
    driver.whenDone(event, gate == null ? action : () -> runBehind(gate, action));
  }

  @Override
  public DeviceMemory allocate(long bytes, MemoryKind kind) {
    enter("allocate", DriverCall.NONE, DriverCall.NONE);
    return memory.counted(driver.allocate(bytes, kind));
  }

  @Override
  public void copy(long stream, Tensor from, Tensor to) {
    enter("copy", stream, DriverCall.NONE);
    driver.copy(stream, from, to);
  }

  @Override
  public void call(long stream, HostWork work) {
    enter("call", stream, DriverCall.NONE);
    driver.call(stream, work);
  }

  @Override
  public boolean tryClaim(long stream) {
    enter("tryClaim", stream, DriverCall.NONE);
    return driver.tryClaim(stream);
  }

  @Override
  public void runClaimed(long stream) {
    DriverCall chosen = arrive("runClaimed", stream, DriverCall.NONE);
    driver.runClaimed(stream);
    failIf(chosen);
  }

  @Override
  public void synchronize() {
    enter("synchronize", DriverCall.NONE, DriverCall.NONE);
    driver.synchronize();
  }

  @Override
  public void close() {
    DriverCall chosen = arrive("close", DriverCall.NONE, DriverCall.NONE);
    driver.close();
    failIf(chosen);
  }
}
