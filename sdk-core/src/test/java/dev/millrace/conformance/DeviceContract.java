package dev.millrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.CompileOptions;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.MemoryKind;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * A part of the contract that every device keeps. Each test has a device of its own, behind a
 * {@link FaultyDriver}, and leaves nothing behind: no stream, no event, no memory, no thread.
 *
 * <p>No test sleeps, and none is right because something took long. Where a stream must stand
 * still, {@link #assertHeld} waits a moment in vain: that can miss a fault, but not invent one.
 */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
public abstract class DeviceContract {
  /** Long enough for a stream that is not held to be done, nearly always. */
  private static final Duration A_MOMENT = Duration.ofMillis(20);

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private Set<Thread> threadsBefore;

  /** The driver of {@link #device}. */
  FaultyDriver driver;

  /** The device under test. */
  Device device;

  /** What the programs of this test have for themselves: lanes may own memory. */
  long programBytes;

  /**
   * Which kind of device is tested.
   *
   * @return the kind
   */
  protected abstract DeviceUnderTest kind();

  @BeforeEach
  void openDevice() {
    threadsBefore = liveThreads();
    driver = new FaultyDriver(kind().open());
    device = Device.of(driver);
  }

  @AfterEach
  @Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
  void leaveNothingBehind() throws Exception {
    for (AutoCloseable one : opened) {
      one.close();
    }
    device.close();
    assertNothingIsLeft();
  }

  /** Nothing that the driver gave out is left, and no thread; the device is closed. */
  final void assertNothingIsLeft() throws InterruptedException {
    assertThat(driver.liveStreams()).as("streams left").isEmpty();
    assertThat(driver.liveEvents()).as("events left").isEmpty();
    assertThat(driver.liveBytes()).as("bytes left").isZero();
    for (Thread thread : liveThreads()) {
      if (!threadsBefore.contains(thread) && kind().isThreadOfDevice(thread)) {
        assertThat(thread.join(Duration.ofSeconds(10))).as("%s has ended", thread).isTrue();
      }
    }
  }

  private static Set<Thread> liveThreads() {
    return Set.copyOf(Thread.getAllStackTraces().keySet());
  }

  /** Closes something after the test, last opened first. */
  final <T extends AutoCloseable> T closing(T resource) {
    opened.push(resource);
    return resource;
  }

  final DeviceStream newStream() {
    return closing(device.newStream());
  }

  /** Another open device of the kind, behind a driver of its own. */
  final Device newOtherDevice() {
    return closing(Device.of(new FaultyDriver(kind().openOther())));
  }

  final AddProgram newAddProgram() {
    return newAddProgram(CompileOptions.defaults());
  }

  final AddProgram newAddProgram(CompileOptions options) {
    long before = driver.liveBytes();
    AddProgram program = closing(AddProgram.load(kind(), device, options));
    programBytes += driver.liveBytes() - before;
    return program;
  }

  /** A tensor in ordinary memory, of the size of {@link AddProgram}'s. */
  final Tensor newHostTensor() {
    return closing(device.allocate(DataType.FLOAT, Shape.of(AddProgram.ELEMENTS), MemoryKind.HOST));
  }

  /** Writes a tensor in stream order: by a copy, since a host function may call no device. */
  final void writeLater(DeviceStream stream, Tensor tensor, float[] values) {
    Tensor source = newHostTensor();
    source.write(values);
    stream.copy(source, tensor);
  }

  /** Reads a tensor in stream order, for the time after the stream was synchronized. */
  final Tensor readLater(DeviceStream stream, Tensor tensor) {
    Tensor target = newHostTensor();
    stream.copy(tensor, target);
    return target;
  }

  /** The stream has something to do and does not come to it. */
  static void assertHeld(DeviceStream stream) {
    assertThatThrownBy(() -> stream.synchronize(A_MOMENT))
        .as("%s is held", stream)
        .isInstanceOf(TimeoutException.class);
  }
}
