package dev.millrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.DeviceException;
import dev.millrace.model.CompileOptions;
import dev.millrace.program.Arguments;
import dev.millrace.program.Program;
import dev.millrace.program.Run;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceEvent;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import dev.millrace.testing.LogCapture;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for the host device alone: the threads that its streams run on, and its limit. */
@DisplayName("The host device")
class HostThreadsTest extends DeviceContract {
  private static final String LIMIT = "millrace.host.memory";

  @Override
  protected DeviceUnderTest kind() {
    return new HostUnderTest();
  }

  private Set<Thread> threads() {
    Set<Thread> mine = ConcurrentHashMap.newKeySet();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (kind().isThreadOfDevice(thread)) {
        mine.add(thread);
      }
    }
    return mine;
  }

  private Thread threadOf(DeviceStream stream) {
    AtomicReference<Thread> seen = new AtomicReference<>();
    stream.call(() -> seen.set(Thread.currentThread()));
    stream.synchronize();
    return seen.get();
  }

  @Test
  void runsStreamsOnPlatformThreadsThatKeepNoProcessAlive() {
    Thread thread = threadOf(newStream());
    assertThat(thread.isVirtual()).isFalse();
    assertThat(thread.isDaemon()).isTrue();
    assertThat(thread.getName()).startsWith("millrace-host:0");
  }

  @Test
  void makesNoThreadForAThousandIdleStreams() {
    Set<Thread> before = threads();
    List<DeviceStream> streams = IntStream.range(0, 1_000).mapToObj(_ -> newStream()).toList();
    List<DeviceEvent> events = streams.stream().map(stream -> closing(device.newEvent())).toList();
    for (int i = 0; i < 1_000; i++) {
      streams.get(i).waitFor(events.get(i));
      assertThat(streams.get(i).isIdle()).isTrue();
    }
    assertThat(before).containsAll(threads());
  }

  @Test
  void makesNoThreadForAStreamThatWaits() {
    DeviceStream first = newStream();
    DeviceEvent event = closing(device.newEvent());
    List<DeviceStream> waiting = IntStream.range(0, 200).mapToObj(_ -> newStream()).toList();
    try (Gate _ = Gate.on(first)) {
      first.record(event);
      for (DeviceStream stream : waiting) {
        stream.waitFor(event);
        stream.call(() -> {});
        awaitHeld(stream);
      }
      // One stands at the gate, the others brought the streams to their waits, one after the other.
      assertThat(threads()).hasSizeLessThan(20);
    }
    waiting.forEach(DeviceStream::synchronize);
  }

  private void awaitHeld(DeviceStream stream) {
    String line = "stream=" + stream.traceId() + " waits for";
    while (device.describe().stream().noneMatch(said -> said.contains(line))) {
      Thread.onSpinWait();
    }
  }

  @Test
  void servesStreamsOneAfterTheOtherWithTheSameThread() {
    Thread first = threadOf(newStream());
    for (int i = 0; i < 20; i++) {
      assertThat(threadOf(newStream())).isIn(threads());
    }
    assertThat(first.isAlive()).isTrue();
  }

  @Test
  void endsAThreadAfterASecondWithoutWork() throws Exception {
    Thread thread = threadOf(newStream());
    assertThat(thread.join(Duration.ofSeconds(30))).isTrue();
    assertThat(threadOf(newStream())).isNotSameAs(thread);
  }

  @Test
  void endsItsThreadsWhenItCloses() throws Exception {
    Device closed = Device.of(kind().openOther());
    Thread thread;
    try (DeviceStream stream = closed.newStream()) {
      thread = threadOf(stream);
    }
    closed.close();
    assertThat(thread.join(Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void doesNotStarveTheApplicationsVirtualThreads() throws Exception {
    int streams = Runtime.getRuntime().availableProcessors() + 1;
    AtomicBoolean stop = new AtomicBoolean();
    CountDownLatch busy = new CountDownLatch(streams);
    try {
      for (int i = 0; i < streams; i++) {
        newStream().call(() -> spin(busy, stop)); // as native code does, it never yields
      }
      Gate.await(busy);
      assertThat(SecondThread.startVirtual(() -> "served").result()).isEqualTo("served");
    } finally {
      stop.set(true);
    }
  }

  private static void spin(CountDownLatch busy, AtomicBoolean stop) {
    busy.countDown();
    while (!stop.get()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void letsOtherStreamsRunWhileManyHostFunctionsStandStill() {
    List<DeviceStream> streams = IntStream.range(0, 100).mapToObj(_ -> newStream()).toList();
    CountDownLatch release = new CountDownLatch(1);
    try {
      streams.forEach(stream -> stream.call(() -> Gate.await(release)));
      DeviceStream another = newStream();
      another.call(() -> {});
      another.synchronize();
    } finally {
      release.countDown();
    }
    streams.forEach(DeviceStream::synchronize);
  }

  @Test
  void keepsAnInterruptOfAHostFunctionFromTheNextOne() {
    DeviceStream s = newStream();
    AtomicBoolean interrupted = new AtomicBoolean();
    s.call(() -> Thread.currentThread().interrupt());
    s.synchronize();
    DeviceStream t = newStream();
    t.call(() -> interrupted.set(Thread.currentThread().isInterrupted()));
    t.synchronize();
    assertThat(interrupted).isFalse();
  }

  @Test
  void survivesAnActionThatThrowsThoughItMustNot() {
    DeviceStream s = newStream();
    DeviceStream t = newStream();
    try (DeviceEvent event = device.newEvent();
        LogCapture log = new LogCapture("dev.millrace.lifetime")) {
      try (Gate _ = Gate.on(s)) {
        s.record(event);
        driver.whenDone(
            event.handle().address(),
            () -> {
              throw new IllegalStateException("told to");
            });
        t.waitFor(event);
        t.call(() -> {});
      }
      s.synchronize();
      t.synchronize();
      assertThat(log.records()).hasSize(1);
    }
  }

  @Test
  void refusesAHostFunctionToWaitForAnEventThatStandsBehindIt() {
    DeviceStream s = newStream();
    DeviceEvent event = closing(device.newEvent());
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    CountDownLatch recorded = new CountDownLatch(1);
    s.call(
        () -> {
          Gate.await(recorded);
          try {
            event.synchronize();
          } catch (IllegalStateException e) {
            thrown.set(e);
          }
        });
    s.record(event);
    recorded.countDown();
    s.synchronize();
    assertThat(thrown.get()).hasMessageContaining("wait for itself");
  }

  @Test
  void refusesToBeClosedByAHostFunctionAndStaysOpen() {
    DeviceStream s = newStream();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    s.call(
        () -> {
          try {
            device.close();
          } catch (IllegalStateException e) {
            thrown.set(e);
          }
        });
    s.synchronize();
    assertThat(thrown.get()).hasMessageContaining("wait for itself");
    assertThat(threadOf(s)).isNotNull();
  }

  @Test
  void doesASynchronousRunOnTheCallingThread() {
    AddProgram add = newAddProgram();
    Arguments arguments = closing(add.completeArguments(3));
    add.program().warmUp(arguments);
    driver.log().forget();
    // As soon as the thread that did the last run has left the lane's stream.
    while (driver.log().of("runClaimed").isEmpty()) {
      add.program().run(arguments).close();
    }
    assertThat(driver.log().myFunctions()).contains("tryClaim", "call", "runClaimed");
    AddProgram.assertSum(arguments.output("sum"), 3);
  }

  @Test
  void sharesNoStreamsAndSaysSo() {
    assertThat(device.features().adoption()).isFalse();
    assertThatThrownBy(() -> device.adopt(0x1234, this))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("0x1234")
        .hasMessageContaining("host:0");
    assertThatThrownBy(() -> device.adoptMemory(0x1234, DataType.FLOAT, Shape.of(1), this))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("Tensor.wrap");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4096", "4k"})
  void givesOutNoMoreMemoryThanItsLimit(String limit) {
    try (Device small = openWithLimit(limit)) {
      Tensor most = small.allocate(DataType.FLOAT, Shape.of(1_000));
      assertThatThrownBy(() -> small.allocate(DataType.FLOAT, Shape.of(25)))
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("bytes=100")
          .hasMessageContaining("used=4000")
          .hasMessageContaining("limit=4096");
      small.allocate(DataType.FLOAT, Shape.of(24)).close();
      most.close();
      small.allocate(DataType.FLOAT, Shape.of(1_024)).close();
    }
  }

  @Test
  void failsARunWhoseOutputDoesNotFitIntoItsLimit() {
    try (Device small = openWithLimit("64")) {
      try (var nonZero = kind().load(TinyModels.nonZero(9), small, CompileOptions.defaults());
          Arguments arguments = nonZero.arguments();
          DeviceStream stream = small.newStream()) {
        arguments.input("x").write(new float[] {1, 1, 1, 1, 1, 1, 1, 1, 1});
        try (var run = nonZero.runAsync(arguments, stream)) {
          assertThatThrownBy(run::await)
              .isInstanceOf(DeviceException.class)
              .hasStackTraceContaining("limit=64");
        }
        arguments.input("x").write(new float[9]);
        nonZero.run(arguments).close();
      }
    }
  }

  @Test
  void refusesALimitThatIsNoSize() {
    assertThatThrownBy(() -> openWithLimit("much"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(LIMIT)
        .hasMessageContaining("much");
  }

  @Test
  void takesALimitThatNoLongHoldsForNone() {
    openWithLimit("999999999999999999t").allocate(DataType.INT8, Shape.of(1)).close();
  }

  private static Device openWithLimit(String limit) {
    String before = System.getProperty(LIMIT);
    System.setProperty(LIMIT, limit);
    try {
      return Device.open("host:2");
    } finally {
      if (before == null) {
        System.clearProperty(LIMIT);
      } else {
        System.setProperty(LIMIT, before);
      }
    }
  }

  @Test
  void mayMakeSlowRunsOnTwoStreams() {
    DeviceStream s = newStream();
    DeviceStream t = newStream();
    Program chain =
        closing(kind().load(TinyModels.chain(64, 20), device, CompileOptions.defaults()));
    Arguments arguments = closing(chain.arguments());
    arguments.input("x").write(diagonal(64, 0, 2));
    arguments.input("w").write(diagonal(64, 1, 1));
    try (Run first = chain.runAsync(arguments, s);
        Run second = chain.runAsync(arguments, t)) {
      s.synchronize();
      t.synchronize();
      float[] expected = diagonal(64, 20, 2);
      assertThat(first.output("y").readFloats()).isEqualTo(expected);
      assertThat(second.output("y").readFloats()).isEqualTo(expected);
    }
  }

  /** A matrix that moves each column to the right, around, and multiplies. */
  private static float[] diagonal(int size, int shift, float factor) {
    float[] matrix = new float[size * size];
    for (int row = 0; row < size; row++) {
      matrix[row * size + (row + shift) % size] = factor;
    }
    return matrix;
  }
}
