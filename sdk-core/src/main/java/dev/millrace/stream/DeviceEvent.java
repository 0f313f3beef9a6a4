package dev.millrace.stream;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.millrace.handle.EventHandle;
import dev.millrace.lifetime.HoldCount;
import dev.millrace.lifetime.LeakWatch;
import dev.millrace.spi.DeviceDriver;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongPredicate;

/**
 * A point in a stream's order that other streams and host threads can wait for. An event holds its
 * latest record; it may be recorded again, also on another stream, and a wait that was made before
 * keeps the record that was the latest then. Waiting for an event that was never recorded is free.
 *
 * <p>Any thread. Closing it never waits, and does not disturb waits that were made.
 */
public final class DeviceEvent implements AutoCloseable {
  private final Device device;
  private final long address;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final HoldCount holds;
  private final LeakWatch watch;

  DeviceEvent(Device device) {
    this.device = device;
    DeviceDriver driver = device.driver();
    long event = driver.createEvent();
    this.address = event;
    HoldCount held = new HoldCount();
    this.holds = held;
    long ticket = device.opened(this);
    this.watch =
        LeakWatch.on(
            this,
            "DeviceEvent",
            () -> {
              device.closed(ticket);
              letGo(driver, event, held);
            });
  }

  private static void letGo(DeviceDriver driver, long event, HoldCount held) {
    if (held.release()) {
      driver.destroyEvent(event);
    }
  }

  /**
   * The event for other libraries.
   *
   * @return its handle, good until the event is closed
   */
  public EventHandle handle() {
    return new EventHandle(device.id(), address("take the handle of"));
  }

  /**
   * Whether the latest record was reached.
   *
   * @return true also if the event was never recorded
   */
  public boolean isDone() {
    return using("query", event -> device.driver().isEventDone(event));
  }

  /** Waits for the latest record. An interrupt does not end the wait; the thread's flag is kept. */
  public void synchronize() {
    await(Long.MAX_VALUE);
  }

  /**
   * Waits for the latest record, but not for ever.
   *
   * @param timeout how long at most
   * @throws TimeoutException if the record was not reached in time
   */
  public void synchronize(Duration timeout) throws TimeoutException {
    Objects.requireNonNull(timeout, "timeout");
    if (!await(NANOSECONDS.convert(timeout))) {
      throw new TimeoutException("synchronize " + this + " timeout=" + timeout);
    }
  }

  private boolean await(long timeoutNs) {
    return using("synchronize", event -> device.driver().synchronizeEvent(event, timeoutNs));
  }

  /** Asks something of the event, which another thread may close meanwhile. */
  private boolean using(String act, LongPredicate question) {
    long event = acquire(act);
    try {
      return question.test(event);
    } finally {
      release();
    }
  }

  /** Keeps the native event alive until {@link #release()}. */
  long acquire(String act) {
    if (closed.get() || !holds.retain()) {
      throw closed(act);
    }
    return address;
  }

  void release() {
    letGo(device.driver(), address, holds);
  }

  private long address(String act) {
    if (closed.get()) {
      throw closed(act);
    }
    return address;
  }

  private IllegalStateException closed(String act) {
    return new IllegalStateException(act + " closed " + this);
  }

  void checkDevice(Device expected, String act) {
    if (device != expected) {
      throw new IllegalArgumentException(
          act + " " + this + ": expected an event of " + expected.label());
    }
  }

  @Override
  public void close() {
    try {
      if (closed.compareAndSet(false, true)) {
        watch.close();
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public String toString() {
    return "event=0x" + Long.toHexString(address) + " of " + device.label();
  }
}
