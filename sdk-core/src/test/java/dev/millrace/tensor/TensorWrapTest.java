package dev.millrace.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TensorWrapTest {

  @Test
  void sharesANativeSegment() {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment segment = arena.allocate(24, 4);
      try (Tensor tensor = Tensor.wrap(segment, DataType.FLOAT, Shape.of(2, 3))) {
        segment.setAtIndex(ValueLayout.JAVA_FLOAT, 4, 7f);

        assertThat(tensor.readFloats()).containsExactly(0, 0, 0, 0, 7, 0);
        assertThat(tensor.segment()).isEqualTo(segment);
        assertThat(tensor.address()).isEqualTo(segment.address());
        assertThat(tensor.memory().isWrapped()).isTrue();
        assertThat(tensor.memory().kind()).isEqualTo(MemoryKind.HOST);
      }
      // The memory is still the application's.
      assertThat(segment.getAtIndex(ValueLayout.JAVA_FLOAT, 4)).isEqualTo(7f);
    }
  }

  @Test
  void sharesAZeroSizedSegment() {
    try (Arena arena = Arena.ofShared();
        Tensor tensor = Tensor.wrap(arena.allocate(0, 8), DataType.DOUBLE, Shape.of(0, 5))) {
      assertThat(tensor.readDoubles()).isEmpty();
    }
  }

  static Stream<Arguments> buffers() {
    return Stream.of(
        Arguments.of(bytes(16), DataType.INT8, 16),
        Arguments.of(bytes(16).asShortBuffer(), DataType.INT16, 8),
        Arguments.of(bytes(16).asIntBuffer(), DataType.INT32, 4),
        Arguments.of(bytes(16).asLongBuffer(), DataType.INT64, 2),
        Arguments.of(bytes(16).asFloatBuffer(), DataType.FLOAT, 4),
        Arguments.of(bytes(16).asDoubleBuffer(), DataType.DOUBLE, 2));
  }

  private static ByteBuffer bytes(int size) {
    return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
  }

  @ParameterizedTest
  @MethodSource("buffers")
  void takesTheElementTypeOfABuffer(Buffer buffer, DataType type, int elements) {
    try (Tensor tensor = Tensor.wrap(buffer, Shape.of(elements))) {
      assertThat(tensor.type()).isEqualTo(type);
      assertThat(tensor.byteSize()).isEqualTo(16);
    }
  }

  @Test
  void sharesABufferFromItsPositionToItsLimit() {
    FloatBuffer buffer = bytes(20).asFloatBuffer();
    buffer.put(0, new float[] {1, 2, 3, 4, 5}).position(1).limit(4);
    try (Tensor tensor = Tensor.wrap(buffer, Shape.of(3))) {
      buffer.put(1, 20f);

      assertThat(tensor.readFloats()).containsExactly(20, 3, 4);
      assertThat(buffer.position()).isEqualTo(1);
    }
  }

  @Test
  void takesABufferOfBytesAsAnyType() {
    ByteBuffer buffer = bytes(8).putLong(0, 77);
    try (Tensor tensor = Tensor.wrap(buffer, DataType.UINT64, Shape.of(1))) {
      assertThat(tensor.readLongs()).containsExactly(77);
    }
  }

  @Test
  void keepsABufferReachable() {
    Tensor tensor = Tensor.wrap(bytes(4).putInt(0, 42).asIntBuffer(), Shape.of());
    System.gc();
    try (tensor) {
      assertThat(tensor.readInts()).containsExactly(42);
    }
  }

  @Test
  void refusesMemoryOnTheHeap() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Tensor.wrap(MemorySegment.ofArray(new float[2]), DataType.FLOAT, Shape.of(2)))
        .withMessageContaining("bytes=8 as FLOAT [2]")
        .withMessageContaining("write()");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tensor.wrap(FloatBuffer.allocate(2), Shape.of(2)))
        .withMessageContaining("HeapFloatBuffer")
        .withMessageContaining("write()");
  }

  @Test
  void refusesMemoryOfOneThread() {
    try (Arena arena = Arena.ofConfined()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Tensor.wrap(arena.allocate(8, 4), DataType.FLOAT, Shape.of(2)))
          .withMessageContaining("Arena.ofShared()");
    }
  }

  @Test
  void refusesAnotherSize() {
    try (Arena arena = Arena.ofShared()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Tensor.wrap(arena.allocate(28, 4), DataType.FLOAT, Shape.of(2, 3)))
          .withMessage("wrap bytes=28 as FLOAT [2, 3]: expected bytes=24");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Tensor.wrap(arena.allocate(2), DataType.INT4, Shape.of(5)))
          .withMessage("wrap bytes=2 as INT4 [5]: expected bytes=3");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tensor.wrap(bytes(8).asFloatBuffer(), Shape.of(3)))
        .withMessage("wrap bytes=8 as FLOAT [3]: expected bytes=12");
  }

  @Test
  void refusesAnUnknownDimension() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tensor.wrap(bytes(8).asFloatBuffer(), Shape.of(-1)))
        .withMessageContaining("shape=[?]");
  }

  @Test
  void refusesElementsThatAreNotAligned() {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment odd = arena.allocate(16, 8).asSlice(2, 8);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Tensor.wrap(odd, DataType.FLOAT, Shape.of(2)))
          .withMessageContaining("not a multiple of 4");
      try (Tensor halves = Tensor.wrap(odd, DataType.FLOAT16, Shape.of(4))) {
        assertThat(halves.byteSize()).isEqualTo(8);
      }
    }
  }

  @Test
  void refusesABufferInAnotherByteOrder() {
    ByteOrder other =
        ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN
            ? ByteOrder.LITTLE_ENDIAN
            : ByteOrder.BIG_ENDIAN;
    ByteBuffer buffer = ByteBuffer.allocateDirect(8).order(other);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tensor.wrap(buffer.asFloatBuffer(), Shape.of(2)))
        .withMessageContaining(other + ", expected " + ByteOrder.nativeOrder());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tensor.wrap(buffer, DataType.FLOAT, Shape.of(2)))
        .withMessageContaining("byte order");
    // Single bytes have no order.
    try (Tensor tensor = Tensor.wrap(buffer, Shape.of(8))) {
      assertThat(tensor.type()).isEqualTo(DataType.INT8);
    }
  }

  @Test
  void refusesABufferOfChars() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tensor.wrap(bytes(8).asCharBuffer(), Shape.of(4)))
        .withMessageContaining("chars");
  }

  @Test
  void refusesToWriteWhatIsReadOnly() {
    try (Tensor tensor = Tensor.wrap(bytes(8).asFloatBuffer().asReadOnlyBuffer(), Shape.of(2))) {
      assertThat(tensor.isReadOnly()).isTrue();
      assertThat(tensor.readFloats()).containsExactly(0, 0);
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> tensor.write(new float[2]))
          .withMessageContaining("read-only");
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> tensor.write(MemorySegment.ofArray(new float[2])))
          .withMessageContaining("read-only");
    }
  }

  @Test
  void refusesMemoryWhoseArenaIsClosed() {
    MemorySegment segment;
    Tensor tensor;
    try (Arena arena = Arena.ofShared()) {
      segment = arena.allocate(8, 4);
      tensor = Tensor.wrap(segment, DataType.FLOAT, Shape.of(2));
    }

    assertThatIllegalStateException()
        .isThrownBy(() -> Tensor.wrap(segment, DataType.FLOAT, Shape.of(2)))
        .withMessageContaining("arena is closed");
    assertThatIllegalStateException()
        .isThrownBy(tensor::retain)
        .withMessageContaining("FLOAT [2] on host:0")
        .withMessageContaining("arena");
    assertThatIllegalStateException()
        .isThrownBy(() -> tensor.write(new float[2]))
        .withMessageContaining("arena");
    assertThatIllegalStateException().isThrownBy(tensor::readFloats).withMessageContaining("arena");

    // What was refused holds nothing: the last hold is the tensor's own.
    tensor.close();
    assertThatIllegalStateException().isThrownBy(tensor::release);
  }

  @Test
  void holdsMoreThanTwoGibibytes(@TempDir Path folder) throws IOException {
    long bytes = 3L << 30;
    // A sparse file: only the pages that are touched take memory or disk.
    try (FileChannel file =
            FileChannel.open(
                folder.resolve("sparse"),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.SPARSE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        Arena arena = Arena.ofShared()) {
      MemorySegment mapped = file.map(MapMode.READ_WRITE, 0, bytes, arena);
      try (Tensor tensor = Tensor.wrap(mapped, DataType.UINT8, Shape.of(3, 1L << 30))) {
        tensor.segment().set(ValueLayout.JAVA_BYTE, bytes - 1, (byte) 99);

        assertThat(mapped.get(ValueLayout.JAVA_BYTE, bytes - 1)).isEqualTo((byte) 99);
        assertThat(tensor.byteSize()).isEqualTo(bytes);
        assertThatExceptionOfType(UnsupportedOperationException.class)
            .isThrownBy(tensor::readBytes)
            .withMessageContaining("length=" + bytes)
            .withMessageContaining("segment()");
        assertThatIllegalArgumentException()
            .isThrownBy(() -> tensor.write(new byte[1]))
            .withMessageContaining("length=1, expected " + bytes);
      }
    }
  }
}
