package dev.millrace.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.millrace.lifetime.LeakWatch;
import dev.millrace.testing.Garbage;
import dev.millrace.testing.LogCapture;
import dev.millrace.testing.Threads;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class TensorLifetimeTest {
  private static final int ROUNDS = 2_000;

  @Test
  void memoryOutlivesTheTensorWhileARunHoldsIt() {
    TestMemory memory = TestMemory.host(8);
    Tensor tensor = Tensor.of(memory, DataType.FLOAT, Shape.of(2));
    tensor.retain();
    tensor.retain();

    tensor.close();
    assertThat(tensor.heldMemory()).isSameAs(memory);
    assertThatIllegalStateException()
        .isThrownBy(tensor::retain)
        .withMessage("use tensor=FLOAT [2] on host:0: it is closed");

    tensor.release();
    assertThat(memory.freed()).isZero();
    tensor.release();
    assertThat(memory.freed()).isOne();
    assertThatIllegalStateException().isThrownBy(tensor::heldMemory);
  }

  @Test
  void refusesToLetGoOfWhatNobodyHolds() {
    TestMemory memory = TestMemory.host(8);
    Tensor tensor = Tensor.of(memory, DataType.FLOAT, Shape.of(2));
    tensor.close();

    assertThatIllegalStateException().isThrownBy(tensor::release);
    assertThatIllegalStateException()
        .isThrownBy(memory::retain)
        .withMessageContaining("freed already");
    assertThat(memory.freed()).isOne();
  }

  @Test
  void wrappedMemoryIsLetGoToo() {
    TestMemory owner = TestMemory.host(8);
    Tensor tensor = Tensor.wrap(owner.segment(), DataType.FLOAT, Shape.of(2));
    tensor.retain();
    tensor.close();
    tensor.close();
    tensor.release();

    assertThatIllegalStateException().isThrownBy(tensor::release);
    assertThat(owner.freed()).isZero();
    owner.release();
  }

  @Test
  void isReportedAndFreedWhenForgotten() {
    TestMemory memory = TestMemory.host(8);
    long before = tensorLeaks();
    try (LogCapture log = new LogCapture("dev.millrace.lifetime")) {
      forget(memory);
      Garbage.collectUntil(() -> memory.freed() == 1);

      assertThat(tensorLeaks()).isEqualTo(before + 1);
      assertThat(log.records())
          .singleElement()
          .satisfies(
              record -> {
                assertThat(record.getMessage()).isEqualTo("a Tensor was never closed");
                assertThat(record.getThrown().getStackTrace())
                    .anyMatch(frame -> frame.getMethodName().equals("forget"));
              });
    }
  }

  private static void forget(TestMemory memory) {
    assertThat(Tensor.of(memory, DataType.FLOAT, Shape.of(2)).isClosed()).isFalse();
  }

  @Test
  void forgottenViewKeepsTheMemoryOfItsTensor() {
    TestMemory memory = TestMemory.host(8);
    long before = tensorLeaks();
    try (LogCapture log = new LogCapture("dev.millrace.lifetime");
        Tensor tensor = Tensor.of(memory, DataType.FLOAT, Shape.of(2))) {
      forgetView(tensor);
      Garbage.collectUntil(() -> tensorLeaks() == before + 1);

      assertThat(tensor.readFloats()).hasSize(2);
      assertThat(log.records()).hasSize(1);
    }
    // The view's hold goes on the watch's thread, just after the report.
    Garbage.collectUntil(() -> memory.freed() == 1);
  }

  private static void forgetView(Tensor tensor) {
    assertThat(tensor.view(Shape.of(1, 2)).shape().rank()).isEqualTo(2);
  }

  private static long tensorLeaks() {
    return LeakWatch.leaks().getOrDefault("Tensor", 0L);
  }

  /** Users race with the close; whoever was let in finds the memory there, and it goes once. */
  @Test
  void closeRacesWithRunsThatHoldTheTensor() throws InterruptedException {
    Race race = new Race(3);
    List<TestMemory> memories = new ArrayList<>();
    List<Threads.Task> tasks = new ArrayList<>();
    tasks.add(
        () -> {
          for (int round = 0; round < ROUNDS; round++) {
            TestMemory memory = TestMemory.host(4);
            memories.add(memory);
            Tensor tensor = Tensor.of(memory, DataType.INT32, Shape.of());
            race.start(tensor);
            tensor.close();
            race.end();
          }
        });
    tasks.add(() -> race.useInEachRound());
    tasks.add(() -> race.useInEachRound());
    Threads.together(tasks);

    assertThat(memories).hasSize(ROUNDS).allMatch(memory -> memory.freed() == 1);
  }

  /** As above, with a third party that brings the memory at some moment. */
  @Test
  void closeRacesWithTheRunThatResolvesTheTensor() throws InterruptedException {
    Race race = new Race(3);
    List<TestMemory> memories = new ArrayList<>();
    List<Threads.Task> tasks = new ArrayList<>();
    tasks.add(
        () -> {
          for (int round = 0; round < ROUNDS; round++) {
            Tensor tensor = Tensor.pending(DataType.INT32, TestMemory.HOST);
            race.start(tensor);
            tensor.close();
            race.end();
          }
        });
    tasks.add(
        () -> {
          for (int round = 0; round < ROUNDS; round++) {
            TestMemory memory = TestMemory.host(4);
            memories.add(memory);
            race.await().resolve(memory, Shape.of());
            race.end();
          }
        });
    tasks.add(() -> race.useInEachRound());
    Threads.together(tasks);

    assertThat(memories).hasSize(ROUNDS).allMatch(memory -> memory.freed() == 1);
  }

  /** Rounds that all parties begin and end together. */
  private static final class Race {
    private final CyclicBarrier barrier;
    private final AtomicReference<Tensor> tensor = new AtomicReference<>();

    Race(int parties) {
      barrier = new CyclicBarrier(parties);
    }

    void start(Tensor next) throws InterruptedException {
      tensor.set(next);
      Threads.meet(barrier);
    }

    Tensor await() throws InterruptedException {
      Threads.meet(barrier);
      return tensor.get();
    }

    void end() throws InterruptedException {
      Threads.meet(barrier);
    }

    void useInEachRound() throws InterruptedException {
      for (int round = 0; round < ROUNDS; round++) {
        Tensor mine = await();
        for (int i = 0; i < 20 && use(mine); i++) {
          Thread.onSpinWait();
        }
        end();
      }
    }

    /** Touches the memory, which throws if it was freed under the hold. */
    private static boolean use(Tensor tensor) {
      try {
        tensor.retain();
      } catch (IllegalStateException e) {
        assertThat(e).hasMessageContaining("closed");
        return false;
      }
      try {
        // Held and still pending: there is no memory yet, and so nothing to touch.
        if (!tensor.isPending()) {
          tensor.heldMemory().segment().set(ValueLayout.JAVA_INT, 0, 1);
        }
      } finally {
        tensor.release();
      }
      return true;
    }
  }
}
