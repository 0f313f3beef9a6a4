package dev.millrace.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TensorPendingTest {

  private static Tensor pending() {
    return Tensor.pending(DataType.FLOAT, TestMemory.HOST);
  }

  private static List<ThrowingCallable> uses(Tensor tensor) {
    return List.of(
        tensor::shape,
        tensor::byteSize,
        tensor::memory,
        tensor::heldMemory,
        tensor::address,
        tensor::segment,
        tensor::isReadOnly,
        tensor::readFloats,
        () -> tensor.write(new float[1]),
        () -> tensor.view(Shape.of(1)));
  }

  @Test
  void refusesToShowWhatTheRunWillDecide() {
    try (Tensor tensor = pending()) {
      assertThat(tensor.isPending()).isTrue();
      assertThat(tensor.type()).isEqualTo(DataType.FLOAT);
      assertThat(tensor.device()).isEqualTo(TestMemory.HOST);
      assertThat(tensor).hasToString("FLOAT (no shape) on host:0");
      for (ThrowingCallable use : uses(tensor)) {
        assertThatIllegalStateException()
            .isThrownBy(use)
            .withMessageContaining("known when the run that makes it is done");
      }
    }
  }

  @Test
  void isLikeAnyOtherOnceResolved() {
    TestMemory memory = TestMemory.host(8);
    Tensor tensor = pending();
    tensor.resolve(memory, Shape.of(2));
    tensor.write(new float[] {1, 2});

    assertThat(tensor.isPending()).isFalse();
    assertThat(tensor.shape()).isEqualTo(Shape.of(2));
    assertThat(tensor.memory()).isSameAs(memory);
    assertThat(tensor.readFloats()).containsExactly(1, 2);

    tensor.close();
    assertThat(memory.freed()).isOne();
  }

  @Test
  void saysWhyItsRunFailed() {
    Tensor tensor = pending();
    tensor.fail("out of memory");
    tensor.fail("a second reason");

    assertThat(tensor.isPending()).isFalse();
    for (ThrowingCallable use : uses(tensor)) {
      assertThatIllegalStateException()
          .isThrownBy(use)
          .withMessageContaining("FLOAT (no shape) on host:0")
          .withMessageEndingWith("failed: out of memory");
    }
    tensor.close();
  }

  @Test
  void keepsItsMemoryWhenTheRunFailsLater() {
    try (Tensor tensor = pending()) {
      tensor.resolve(TestMemory.host(4), Shape.of(1));
      tensor.fail("the next output failed");

      assertThat(tensor.readFloats()).hasSize(1);
    }
  }

  @Test
  void freesMemoryThatComesAfterEverybodyLetGo() {
    TestMemory memory = TestMemory.host(4);
    Tensor tensor = pending();
    tensor.close();

    tensor.resolve(memory, Shape.of(1));

    assertThat(memory.freed()).isOne();
    assertThat(tensor.isPending()).isFalse();
    assertThatIllegalStateException().isThrownBy(tensor::shape).withMessageContaining("closed");
  }

  @Test
  void keepsMemoryForALaterRunThoughClosedMeanwhile() {
    TestMemory memory = TestMemory.host(4);
    Tensor tensor = pending();
    tensor.retain();
    tensor.close();

    tensor.resolve(memory, Shape.of(1));
    assertThat(tensor.heldMemory()).isSameAs(memory);
    assertThat(memory.freed()).isZero();

    tensor.release();
    assertThat(memory.freed()).isOne();
  }

  @Test
  void freesNothingWhenAFailedOneIsClosed() {
    Tensor tensor = pending();
    tensor.retain();
    tensor.fail("no such kernel");
    tensor.close();
    assertThatIllegalStateException()
        .isThrownBy(tensor::heldMemory)
        .withMessageContaining("no such kernel");
    tensor.release();
    assertThatIllegalStateException().isThrownBy(tensor::release);
  }

  @Test
  void refusesASecondMemoryAndLeavesItWithTheCaller() {
    TestMemory second = TestMemory.host(4);
    try (Tensor tensor = pending()) {
      tensor.resolve(TestMemory.host(4), Shape.of(1));
      assertThatIllegalStateException()
          .isThrownBy(() -> tensor.resolve(second, Shape.of(1)))
          .withMessageContaining("it is not pending");
    }
    try (Tensor failed = pending()) {
      failed.fail("lost");
      assertThatIllegalStateException().isThrownBy(() -> failed.resolve(second, Shape.of(1)));
    }
    assertThat(second.freed()).isZero();
    second.release();
  }

  @Test
  void refusesMemoryThatDoesNotFit() {
    TestMemory memory = TestMemory.host(4);
    try (Tensor tensor = pending();
        Tensor elsewhere = Tensor.pending(DataType.FLOAT, TestMemory.GPU)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> tensor.resolve(memory, Shape.of(2)))
          .withMessageContaining("needs bytes=8");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> tensor.resolve(memory, Shape.of(-1)))
          .withMessageContaining("[?]");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> elsewhere.resolve(memory, Shape.of(1)))
          .withMessageContaining("gpu:0")
          .withMessageContaining("host:0");
      assertThat(tensor.isPending()).isTrue();
    }
    memory.release();
    assertThat(memory.freed()).isOne();
  }
}
