package dev.millrace.conformance;

import dev.millrace.spi.DeviceDriver;
import dev.millrace.stream.DeviceStream;
import java.util.concurrent.CountDownLatch;

/**
 * Holds a stream for as long as a test wants: a host function that returns when the gate is opened.
 */
final class Gate implements AutoCloseable {
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch opened = new CountDownLatch(1);

  Gate() {}

  /** Holds what is submitted to the stream from now on; returns when the stream stands there. */
  static Gate on(DeviceStream stream) {
    Gate gate = new Gate();
    stream.call(gate::pass);
    gate.awaitEntered();
    return gate;
  }

  /** Holds the stream too, but returns before it stands there. */
  static Gate behindAllOf(DeviceDriver driver, DeviceStream stream) {
    Gate gate = new Gate();
    driver.call(stream.handle().address(), gate::pass);
    return gate;
  }

  /** Stands at the gate until it is opened. */
  void pass() {
    entered.countDown();
    await(opened);
  }

  /** Waits until somebody stands at the gate. */
  void awaitEntered() {
    await(entered);
  }

  /** Waits for something that a test is certain of; its hang guard interrupts. */
  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("the test was given up", e);
    }
  }

  void open() {
    opened.countDown();
  }

  /** Opens the gate, so that a test which fails hangs nobody. */
  @Override
  public void close() {
    open();
  }
}
