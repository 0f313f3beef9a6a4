package dev.millrace.gpu.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.DeviceException;
import dev.millrace.gpu.ffi.HipMemory;
import dev.millrace.gpu.ffi.HipStreams;
import dev.millrace.gpu.testing.HipOnCpu;
import dev.millrace.gpu.testing.Live;
import dev.millrace.gpu.testing.NeedsHipOnCpu;
import dev.millrace.gpu.testing.NeedsTwoDevices;
import dev.millrace.gpu.testing.OnlyHipOnCpu;
import dev.millrace.handle.StreamOptions;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceEvent;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import dev.millrace.testing.LogCapture;
import java.util.BitSet;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What only a GPU's driver does: foreign streams and memory, memory's end, what is destroyed when.
 */
@NeedsHipOnCpu
@Timeout(60)
final class GpuDriverTest {
  private static final int NON_BLOCKING = 1;

  private Live before;
  private Device device;

  @BeforeEach
  void open() {
    HipOnCpu.reset();
    before = Live.now();
    device = Device.of(new GpuProvider().open(0));
  }

  @AfterEach
  void close() {
    device.close();
    before.assertNothingIsLeft();
  }

  private static void awaitUntil(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private static CountDownLatch hold(DeviceStream stream) {
    CountDownLatch open = new CountDownLatch(1);
    stream.call(
        () -> {
          try {
            open.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    return open;
  }

  @Nested
  final class AForeignStream {
    private final Object owner = new Object();

    @Test
    void isUsedAndNeverDestroyed() {
      long foreign = HipStreams.streamCreateWithPriority(NON_BLOCKING, 0);
      DeviceStream adopted = device.adopt(foreign, owner);
      assertThat(adopted.isOwned()).isFalse();
      assertThat(adopted.handle().address()).isEqualTo(foreign);
      CountDownLatch called = new CountDownLatch(1);
      adopted.call(called::countDown);
      adopted.synchronize();
      assertThat(called.getCount()).isZero();
      adopted.close();
      device.driver().synchronize();
      assertThat(HipOnCpu.calls("hipStreamDestroy")).isZero();
      HipStreams.streamDestroy(foreign);
    }

    @Test
    void isAskedForItsDeviceOnce() {
      long foreign = HipStreams.streamCreateWithPriority(NON_BLOCKING, 0);
      HipOnCpu.reset();
      try (DeviceStream first = device.adopt(foreign, owner)) {
        first.call(() -> {});
        first.synchronize();
      }
      assertThat(HipOnCpu.calls("hipStreamGetDevice")).isOne();
      HipStreams.streamDestroy(foreign);
    }

    @Test
    @NeedsTwoDevices
    void ofAnotherDeviceIsRefusedWithBothNames() {
      int former = CurrentDevice.enter(1);
      long foreign = HipStreams.streamCreateWithPriority(NON_BLOCKING, 0);
      CurrentDevice.leave(former, 1);
      assertThatThrownBy(() -> device.adopt(foreign, owner))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("gpu:0")
          .hasMessageContaining("gpu:1");
      HipStreams.streamDestroy(foreign);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1})
    void thatIsANameOfTheNullStreamIsThat(long name) {
      assertThat(device.adopt(name, owner)).isSameAs(device.nullStream());
      assertThat(HipOnCpu.calls("hipStreamGetDevice")).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4095})
    void thatIsNoStreamIsRefusedUnasked(long address) {
      assertThatThrownBy(() -> device.adopt(address, owner))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("stream=" + address);
      assertThat(HipOnCpu.calls("hipStreamGetDevice")).isZero();
    }

    @Test
    void thatIsOursIsRefused() {
      try (DeviceStream ours = device.newStream()) {
        assertThatThrownBy(() -> device.adopt(ours.handle().address(), owner))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("made here");
      }
    }

    @Test
    void leavesNoEventThatIsAskedForAfterItsRelease() {
      long foreign = HipStreams.streamCreateWithPriority(NON_BLOCKING, 0);
      try (DeviceEvent event = device.newEvent()) {
        try (DeviceStream adopted = device.adopt(foreign, owner)) {
          adopted.record(event);
          adopted.synchronize();
        }
        HipStreams.streamDestroy(foreign);
        HipOnCpu.reset();
        assertThat(event.isDone()).isTrue();
        event.synchronize();
        try (DeviceStream s = device.newStream()) {
          s.waitFor(event);
          s.synchronize();
          assertThat(HipOnCpu.calls("hipEventQuery")).isZero();
          assertThat(HipOnCpu.calls("hipEventSynchronize")).isZero();
          assertThat(HipOnCpu.calls("hipStreamWaitEvent")).isZero();
        }
      }
    }
  }

  @Nested
  final class ForeignMemory {
    @Test
    void isReadAndWrittenAndNeverFreed() {
      long foreign = HipMemory.malloc(16);
      try (Tensor tensor = device.adoptMemory(foreign, DataType.FLOAT, Shape.of(4), this)) {
        tensor.write(new float[] {1, 2, 3, 4});
        assertThat(tensor.readFloats()).containsExactly(1, 2, 3, 4);
        assertThat(tensor.address()).isEqualTo(foreign);
      }
      assertThat(HipOnCpu.calls("hipFree")).isZero();
      HipMemory.free(foreign);
    }

    @Test
    @NeedsTwoDevices
    void ofAnotherDeviceIsRefusedWithBothNames() {
      int former = CurrentDevice.enter(1);
      long foreign = HipMemory.malloc(16);
      CurrentDevice.leave(former, 1);
      assertThatThrownBy(() -> device.adoptMemory(foreign, DataType.FLOAT, Shape.of(4), this))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("gpu:0")
          .hasMessageContaining("gpu:1");
      HipMemory.free(foreign);
    }

    @Test
    void thatHipDoesNotKnowIsRefused() {
      assertThatThrownBy(() -> device.adoptMemory(64, DataType.FLOAT, Shape.of(4), this))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("memory=0x40");
    }
  }

  @Nested
  @OnlyHipOnCpu("a limit of memory that can be set")
  final class DeviceMemory {
    private static final long LIMIT = 1L << 20;

    @AfterEach
    void lift() {
      HipOnCpu.memory(1L << 34);
    }

    @Test
    void thatIsNotThereIsRefusedWithTheSizes() {
      HipOnCpu.memory(LIMIT);
      assertThatThrownBy(() -> device.allocate(DataType.UINT8, Shape.of(LIMIT + 1)))
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("bytes=" + (LIMIT + 1))
          .hasMessageContaining("free=" + LIMIT)
          .hasMessageContaining("total=" + LIMIT)
          .hasMessageContaining("hipErrorOutOfMemory");
    }

    @Test
    void thatIsBeingFreedIsThereAgain() {
      HipOnCpu.memory(LIMIT);
      for (int i = 0; i < 200; i++) {
        device.allocate(DataType.UINT8, Shape.of(LIMIT * 3 / 4)).close();
      }
    }

    @Test
    void isNotFreedByTheThreadThatClosesIt() {
      Tensor tensor = device.allocate(DataType.UINT8, Shape.of(100));
      try (DeviceStream s = device.newStream()) {
        CountDownLatch open = hold(s);
        tensor.close();
        open.countDown();
      }
      awaitUntil(() -> HipOnCpu.live("bytes") == before.bytes());
      String me = GpuBench.thisThread();
      assertThat(HipOnCpu.log())
          .filteredOn(call -> call.function().equals("hipFree"))
          .singleElement()
          .matches(call -> !call.thread().equals(me));
    }
  }

  @Nested
  final class AStream {
    @Test
    void isDestroyedWhenItsWorkIsDoneAndNotBefore() {
      DeviceStream stream = device.newStream();
      CountDownLatch open = hold(stream);
      stream.close();
      assertThat(HipOnCpu.calls("hipStreamDestroy")).isZero();
      open.countDown();
      awaitUntil(() -> HipOnCpu.calls("hipStreamDestroy") == 1);
    }

    @Test
    void leavesNoEventThatIsAskedForAfterItsEnd() {
      try (DeviceEvent event = device.newEvent()) {
        try (DeviceStream stream = device.newStream()) {
          stream.record(event);
        }
        awaitUntil(() -> HipOnCpu.calls("hipStreamDestroy") == 1);
        HipOnCpu.reset();
        assertThat(event.isDone()).isTrue();
        event.synchronize();
        assertThat(HipOnCpu.calls("hipEventQuery")).isZero();
        assertThat(HipOnCpu.calls("hipEventSynchronize")).isZero();
      }
    }

    @Test
    void hasTheFlagsAndThePriorityThatWereAskedFor() {
      StreamOptions urgent = StreamOptions.defaults().withPriority(-1);
      try (DeviceStream plain = device.newStream();
          DeviceStream blocking = device.newStream(urgent.withBlocking())) {
        assertThat(HipStreams.streamGetFlags(plain.handle().address())).isEqualTo(NON_BLOCKING);
        assertThat(HipStreams.streamGetFlags(blocking.handle().address())).isZero();
        assertThat(HipStreams.streamGetPriority(blocking.handle().address())).isEqualTo(-1);
      }
    }

    @Test
    @OnlyHipOnCpu("compute units to choose from")
    void onSomeComputeUnitsIsABlockingOneOrRefused() {
      BitSet units = new BitSet();
      units.set(0, 40);
      StreamOptions masked = StreamOptions.defaults().withComputeUnits(units);
      assertThatThrownBy(() -> device.newStream(masked))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("withBlocking()");
      try (DeviceStream stream = device.newStream(masked.withBlocking())) {
        stream.call(() -> {});
        stream.synchronize();
        assertThat(HipOnCpu.calls("hipExtStreamCreateWithCUMask")).isOne();
      }
    }
  }

  @Nested
  final class StreamOrderedMemory {
    private static final String PROPERTY = "millrace.streamOrderedMemory";

    @AfterEach
    void forget() {
      System.clearProperty(PROPERTY);
    }

    @Test
    void isUsedWhereItIsWantedAndSound() {
      System.setProperty(PROPERTY, "true");
      try (Device ordered = Device.of(new GpuProvider().open(0))) {
        HipOnCpu.reset();
        try (Tensor tensor = ordered.upload(new float[] {1, 2}, Shape.of(2))) {
          assertThat(tensor.readFloats()).containsExactly(1, 2);
        }
        assertThat(HipOnCpu.calls("hipMalloc")).isZero();
        assertThat(HipOnCpu.calls("hipMallocAsync")).isOne();
      }
    }

    @Test
    void isNotUsedWhereItsTestFailsAndThatIsLogged() {
      System.setProperty(PROPERTY, "true");
      HipOnCpu.fail("hipMallocAsync", 3, 801);
      try (LogCapture log = new LogCapture("dev.millrace.gpu");
          Device plain = Device.of(new GpuProvider().open(0))) {
        assertThat(log.records()).hasSize(1);
        HipOnCpu.reset();
        plain.allocate(DataType.FLOAT, Shape.of(4)).close();
        assertThat(HipOnCpu.calls("hipMalloc")).isOne();
        assertThat(HipOnCpu.calls("hipMallocAsync")).isZero();
      }
    }
  }
}
