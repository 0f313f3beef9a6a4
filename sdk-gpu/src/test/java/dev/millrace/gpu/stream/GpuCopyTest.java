package dev.millrace.gpu.stream;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.gpu.testing.HipOnCpu;
import dev.millrace.gpu.testing.Live;
import dev.millrace.gpu.testing.NeedsHipOnCpu;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceEvent;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.MemoryKind;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies between all kinds of memory, in stream order, of sizes around those of the buffers. */
@NeedsHipOnCpu
@Timeout(60)
final class GpuCopyTest {
  private static final int MIB = 1 << 20;

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private Live before;
  private Device device;
  private DeviceStream s;

  @BeforeEach
  void openDevice() {
    before = Live.now();
    device = Device.of(new GpuProvider().open(0));
    s = closing(device.newStream());
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    for (AutoCloseable one : opened) {
      one.close();
    }
    device.close();
    before.assertNothingIsLeft();
  }

  private <T extends AutoCloseable> T closing(T resource) {
    opened.push(resource);
    return resource;
  }

  private Tensor bytes(int size, MemoryKind kind) {
    return closing(device.allocate(DataType.UINT8, Shape.of(size), kind));
  }

  private static byte[] pattern(int size, int seed) {
    byte[] values = new byte[size];
    for (int i = 0; i < size; i++) {
      values[i] = (byte) (i * 31 + (i >> 12) + seed);
    }
    return values;
  }

  static Stream<Arguments> kindsAndSizes() {
    List<Arguments> all = new ArrayList<>();
    for (MemoryKind from : MemoryKind.values()) {
      for (MemoryKind to : MemoryKind.values()) {
        for (int size : new int[] {0, 1, 100_000, 4 * MIB, 9 * MIB + 3}) {
          all.add(Arguments.of(from, to, size));
        }
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("kindsAndSizes")
  void copyEveryByteBetweenAnyTwoKindsOfMemory(MemoryKind from, MemoryKind to, int size) {
    Tensor source = bytes(size, from);
    Tensor target = bytes(size, to);
    byte[] values = pattern(size, 1);
    source.write(values);
    target.write(new byte[size]);
    s.copy(source, target);
    s.synchronize();
    assertThat(target.readBytes()).isEqualTo(values);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4 * MIB, 4 * MIB + 1, 17 * MIB})
  void writeAndReadDeviceMemoryAlsoFromAVirtualThread(int size) throws Exception {
    Tensor tensor = bytes(size, MemoryKind.DEVICE);
    List<byte[]> read = new ArrayList<>();
    Thread.ofVirtual()
        .start(
            () -> {
              tensor.write(pattern(size, 2));
              read.add(tensor.readBytes());
            })
        .join();
    assertThat(read).hasSize(1);
    assertThat(read.getFirst()).isEqualTo(pattern(size, 2));
    assertThat(tensor.readBytes()).isEqualTo(pattern(size, 2));
  }

  @Test
  void readUnpinnedMemoryWhenTheStreamComesToItAndNotBefore() {
    Tensor source = bytes(1_000, MemoryKind.HOST);
    Tensor target = bytes(1_000, MemoryKind.DEVICE);
    source.write(pattern(1_000, 3));
    CountDownLatch open = new CountDownLatch(1);
    s.call(() -> await(open));
    s.copy(source, target);
    source.write(pattern(1_000, 4));
    open.countDown();
    s.synchronize();
    assertThat(target.readBytes()).isEqualTo(pattern(1_000, 4));
  }

  @Test
  void haveFilledUnpinnedMemoryWhenALaterEventIsSeenDone() {
    Tensor source = bytes(5 * MIB, MemoryKind.DEVICE);
    Tensor target = bytes(5 * MIB, MemoryKind.HOST);
    try (DeviceEvent event = device.newEvent()) {
      for (int round = 0; round < 20; round++) {
        source.write(pattern(5 * MIB, round));
        s.copy(source, target);
        s.record(event);
        while (!event.isDone()) {
          Thread.onSpinWait();
        }
        assertThat(target.readBytes()).isEqualTo(pattern(5 * MIB, round));
      }
    }
  }

  @Test
  void haveFilledUnpinnedMemoryBeforeLaterWorkOfAnotherStreamThatWaits() {
    DeviceStream t = closing(device.newStream());
    Tensor a = bytes(5 * MIB, MemoryKind.DEVICE);
    Tensor between = bytes(5 * MIB, MemoryKind.HOST);
    Tensor b = bytes(5 * MIB, MemoryKind.DEVICE);
    a.write(pattern(5 * MIB, 7));
    try (DeviceEvent event = device.newEvent()) {
      s.copy(a, between);
      s.record(event);
      t.waitFor(event);
      t.copy(between, b);
    }
    t.synchronize();
    assertThat(b.readBytes()).isEqualTo(pattern(5 * MIB, 7));
  }

  @Test
  void takeWrappedMemoryOfTheApplication() {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment memory = arena.allocate(100, 8);
      memory.copyFrom(MemorySegment.ofArray(pattern(100, 5)));
      Tensor wrapped = Tensor.wrap(memory, DataType.UINT8, Shape.of(100));
      Tensor there = bytes(100, MemoryKind.DEVICE);
      s.copy(wrapped, there);
      s.call(() -> memory.fill((byte) 0));
      s.copy(there, wrapped);
      s.synchronize();
      assertThat(memory.toArray(JAVA_BYTE)).isEqualTo(pattern(100, 5));
      wrapped.close();
    }
  }

  @Test
  void neverCallTheNullStreamOrWaitWhenTheyAreEnqueued() {
    Tensor host = bytes(5 * MIB, MemoryKind.HOST);
    Tensor there = bytes(5 * MIB, MemoryKind.DEVICE);
    s.copy(host, there); // makes the buffer
    s.synchronize();
    HipOnCpu.reset();
    CountDownLatch open = new CountDownLatch(1);
    s.call(() -> await(open));
    s.copy(host, there);
    s.copy(there, host);
    List<HipOnCpu.Call> calls = HipOnCpu.log();
    open.countDown();
    s.synchronize();
    assertThat(calls)
        .noneMatch(HipOnCpu.Call::isOnNullStream)
        .extracting(HipOnCpu.Call::function)
        .doesNotContain("hipStreamSynchronize", "hipEventSynchronize", "hipHostMalloc");
  }

  @Test
  void refuseDeviceMemoryInAHostFunctionByName() {
    Tensor there = bytes(10, MemoryKind.DEVICE);
    s.call(() -> there.write(new byte[10]));
    assertThatThrownBy(s::synchronize).hasStackTraceContaining("in a host function");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
