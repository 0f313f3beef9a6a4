package dev.millrace.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TensorTest {

  @Test
  void showsHostMemoryAsASegmentWithoutACopy() {
    TestMemory memory = TestMemory.host(24);
    try (Tensor tensor = Tensor.of(memory, DataType.FLOAT, Shape.of(2, 3))) {
      tensor.segment().setAtIndex(ValueLayout.JAVA_FLOAT, 5, 1.5f);

      assertThat(memory.segment().getAtIndex(ValueLayout.JAVA_FLOAT, 5)).isEqualTo(1.5f);
      assertThat(tensor.address()).isEqualTo(memory.address());
      assertThat(tensor.byteSize()).isEqualTo(24);
      assertThat(tensor.type()).isEqualTo(DataType.FLOAT);
      assertThat(tensor.shape()).isEqualTo(Shape.of(2, 3));
      assertThat(tensor.device()).isEqualTo(TestMemory.HOST);
      assertThat(tensor.memory()).isSameAs(memory);
      assertThat(tensor.isReadOnly()).isFalse();
      assertThat(tensor).hasToString("FLOAT [2, 3] on host:0");
    }
  }

  @Test
  void showsPinnedMemoryAsASegment() {
    try (Tensor tensor = Tensor.of(TestMemory.pinned(3), DataType.UINT8, Shape.of(3))) {
      assertThat(tensor.segment().byteSize()).isEqualTo(3);
      assertThat(tensor.device()).isEqualTo(TestMemory.GPU);
    }
  }

  @Test
  void showsDeviceMemoryAsAnAddressOnly() {
    TestMemory memory = TestMemory.device(0x7f00_0000_0000L, 24);
    try (Tensor tensor = Tensor.of(memory, DataType.FLOAT, Shape.of(2, 3))) {
      assertThat(tensor.address()).isEqualTo(0x7f00_0000_0000L);
      assertThat(tensor.isReadOnly()).isFalse();
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(tensor::segment)
          .withMessageContaining("FLOAT [2, 3] on gpu:0")
          .withMessageContaining("end the JVM");
    }
  }

  /** Device memory: only its own two methods reach what is in it. */
  private static final class FarMemory extends DeviceMemory {
    private final byte[] content;

    FarMemory(int bytes) {
      super(TestMemory.GPU, MemoryKind.DEVICE, 0x7f00_0000_0000L, bytes);
      content = new byte[bytes];
    }

    @Override
    public MemorySegment segment() {
      throw new UnsupportedOperationException("asked for a segment of device memory");
    }

    @Override
    public void copyFromHost(MemorySegment from) {
      MemorySegment.ofArray(content).asSlice(0, from.byteSize()).copyFrom(from);
    }

    @Override
    public void copyToHost(MemorySegment to) {
      to.copyFrom(MemorySegment.ofArray(content).asSlice(0, to.byteSize()));
    }

    @Override
    protected void free() {
      // The array goes with it.
    }
  }

  @Test
  void copiesFromAndToDeviceMemoryThroughThatMemory() {
    try (Tensor tensor = Tensor.of(new FarMemory(16), DataType.FLOAT16, Shape.of(3))) {
      tensor.write(new float[] {1, 2, 3});
      assertThat(tensor.readFloats()).containsExactly(1, 2, 3);
      tensor.write(MemorySegment.ofArray(new short[] {0x3c00, 0, 0x3c00}));
      short[] read = new short[3];
      tensor.read(MemorySegment.ofArray(read));
      assertThat(read).containsExactly(0x3c00, 0, 0x3c00);
    }
  }

  @Test
  void refusesCopiesFromAndToDeviceMemoryThatHasNoWayToTheHost() {
    try (Tensor tensor =
        Tensor.of(TestMemory.device(0x7f00_0000_0000L, 8), DataType.FLOAT, Shape.of(2))) {
      List<ThrowingCallable> copies =
          List.of(
              () -> tensor.write(new float[2]),
              () -> tensor.write(MemorySegment.ofArray(new float[2])),
              () -> tensor.read(MemorySegment.ofArray(new float[2])),
              tensor::readFloats);
      for (ThrowingCallable copy : copies) {
        assertThatExceptionOfType(UnsupportedOperationException.class)
            .isThrownBy(copy)
            .withMessageContaining("device memory");
      }
    }
  }

  @Test
  void usesTheBeginningOfALargerBlock() {
    TestMemory memory = TestMemory.host(256);
    try (Tensor tensor = Tensor.of(memory, DataType.INT16, Shape.of(3))) {
      assertThat(tensor.segment().byteSize()).isEqualTo(6);
      tensor.write(new short[] {1, 2, 3});
      assertThat(memory.segment().get(ValueLayout.JAVA_SHORT, 6)).isZero();
      assertThat(tensor.readShorts()).containsExactly(1, 2, 3);
    }
  }

  @Test
  void leavesTheHoldWithTheCallerWhenItRefusesMemory() {
    TestMemory memory = TestMemory.host(23);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tensor.of(memory, DataType.FLOAT, Shape.of(2, 3)))
        .withMessageContaining("bytes=23")
        .withMessageContaining("FLOAT [2, 3] needs bytes=24");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tensor.of(memory, DataType.FLOAT, Shape.of(2, -1)))
        .withMessageContaining("[2, ?]");

    assertThat(memory.freed()).isZero();
    memory.release();
    assertThat(memory.freed()).isOne();
  }

  @Test
  void refusesAShapeWhoseSizeOverflows() {
    TestMemory memory = TestMemory.host(8);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tensor.of(memory, DataType.DOUBLE, Shape.of(1L << 40, 1L << 40)))
        .withMessageContaining("[1099511627776, 1099511627776]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tensor.of(memory, DataType.DOUBLE, Shape.of(1L << 62)))
        .withMessageContaining("elements=" + (1L << 62));
    memory.release();
  }

  @Test
  void holdsNoElementsInAZeroSizedTensor() {
    try (Tensor tensor = Tensor.of(TestMemory.host(0), DataType.FLOAT, Shape.of(2, 0, 3))) {
      assertThat(tensor.byteSize()).isZero();
      assertThat(tensor.segment().byteSize()).isZero();
      tensor.write(new float[0]);
      assertThat(tensor.readFloats()).isEmpty();
    }
  }

  @Test
  void holdsOneElementInAScalar() {
    try (Tensor tensor = Tensor.of(TestMemory.host(8), DataType.INT64, Shape.of())) {
      tensor.write(new long[] {Long.MIN_VALUE});
      assertThat(tensor.readLongs()).containsExactly(Long.MIN_VALUE);
    }
  }

  @Test
  void viewSharesTheMemoryInAnotherShape() {
    try (Tensor tensor = Tensor.of(TestMemory.host(24), DataType.FLOAT, Shape.of(2, 3));
        Tensor view = tensor.view(Shape.of(6))) {
      view.write(new float[] {1, 2, 3, 4, 5, 6});

      assertThat(tensor.readFloats()).containsExactly(1, 2, 3, 4, 5, 6);
      assertThat(view.shape()).isEqualTo(Shape.of(6));
      assertThat(view.address()).isEqualTo(tensor.address());
    }
  }

  @Test
  void viewOutlivesItsTensor() {
    TestMemory memory = TestMemory.host(8);
    Tensor tensor = Tensor.of(memory, DataType.FLOAT, Shape.of(2));
    Tensor view = tensor.view(Shape.of(2, 1));
    Tensor second = view.view(Shape.of(1, 2));
    tensor.write(new float[] {1, 2});

    tensor.close();
    view.close();
    assertThat(second.readFloats()).containsExactly(1, 2);
    assertThat(memory.freed()).isZero();

    second.close();
    assertThat(memory.freed()).isOne();
  }

  @Test
  void viewRefusesAnotherNumberOfElements() {
    TestMemory memory = TestMemory.host(24);
    try (Tensor tensor = Tensor.of(memory, DataType.FLOAT, Shape.of(2, 3))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> tensor.view(Shape.of(5)))
          .withMessageContaining("shape=[5]")
          .withMessageContaining("elements=6");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> tensor.view(Shape.of(2, -1)))
          .withMessageContaining("shape=[2, ?]");
    }
    assertThat(memory.freed()).isOne();
  }

  @Test
  void refusesEveryUseOnceClosed() {
    Tensor tensor = Tensor.of(TestMemory.host(8), DataType.FLOAT, Shape.of(2));
    tensor.close();

    List<ThrowingCallable> uses =
        List.of(
            tensor::retain,
            tensor::memory,
            tensor::heldMemory,
            tensor::address,
            tensor::segment,
            tensor::isReadOnly,
            tensor::readFloats,
            () -> tensor.view(Shape.of(2)),
            () -> tensor.write(new float[2]),
            () -> tensor.write(MemorySegment.ofArray(new float[2])),
            () -> tensor.read(MemorySegment.ofArray(new float[2])));
    for (ThrowingCallable use : uses) {
      assertThatIllegalStateException()
          .isThrownBy(use)
          .withMessageContaining("FLOAT [2] on host:0: it is closed");
    }
  }

  @Test
  void stillSaysWhatItWasOnceClosed() {
    Tensor tensor = Tensor.of(TestMemory.host(8), DataType.FLOAT, Shape.of(2));
    tensor.close();

    assertThat(tensor.isClosed()).isTrue();
    assertThat(tensor.type()).isEqualTo(DataType.FLOAT);
    assertThat(tensor.shape()).isEqualTo(Shape.of(2));
    assertThat(tensor.byteSize()).isEqualTo(8);
    assertThat(tensor.device()).isEqualTo(TestMemory.HOST);
  }

  @Test
  void closesOnce() {
    TestMemory memory = TestMemory.host(8);
    Tensor tensor = Tensor.of(memory, DataType.FLOAT, Shape.of(2));

    tensor.close();
    tensor.close();

    assertThat(memory.freed()).isOne();
  }

  @Test
  void namesTheParameterThatIsNull() {
    try (Tensor tensor = Tensor.of(TestMemory.host(8), DataType.FLOAT, Shape.of(2))) {
      assertThatNullPointerException()
          .isThrownBy(() -> tensor.write(TensorTest.<float[]>nothing()))
          .withMessageContaining("values");
      assertThatNullPointerException()
          .isThrownBy(() -> tensor.view(nothing()))
          .withMessageContaining("newShape");
      assertThatNullPointerException()
          .isThrownBy(() -> Tensor.wrap(tensor.segment(), nothing(), Shape.of(2)))
          .withMessageContaining("type");
      assertThatNullPointerException()
          .isThrownBy(() -> Tensor.wrap(tensor.segment(), DataType.FLOAT, nothing()))
          .withMessageContaining("shape");
    }
  }

  // What code without null checks may pass.
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return null;
  }
}
