package dev.millrace.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.handle.DeviceId;
import dev.millrace.lifetime.LeakWatch;
import dev.millrace.testing.Schedules;
import dev.millrace.testing.Threads;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One tensor, closed by one thread while another uses it. */
@Tag("fray")
final class TensorScheduleTest {
  private static final DeviceId ID = new DeviceId("host", 0);

  /** Memory that counts how often it is freed. */
  private static final class Counted extends DeviceMemory {
    final AtomicInteger freed = new AtomicInteger();
    private final boolean wrapped;

    Counted() {
      this(false);
    }

    Counted(boolean wrapped) {
      super(ID, MemoryKind.HOST, 0, 4);
      this.wrapped = wrapped;
    }

    @Override
    public boolean isWrapped() {
      return wrapped;
    }

    @Override
    public MemorySegment segment() {
      return MemorySegment.NULL;
    }

    @Override
    protected void free() {
      freed.incrementAndGet();
    }
  }

  /** Its thread starts before the first schedule. */
  @BeforeAll
  static void startLeakWatch() {
    assertThat(LeakWatch.leaks()).isNotNull();
  }

  @Test
  void isFreedOnceWhenTheLastUserIsDone() {
    Schedules.explore(
        300,
        () -> {
          Counted memory = new Counted();
          Tensor tensor = Tensor.of(memory, DataType.INT32, Shape.of(1));

          Threads.both(
              tensor::close,
              () -> {
                if (retain(tensor)) {
                  assertThat(tensor.heldMemory()).isSameAs(memory);
                  assertThat(memory.freed).hasValue(0);
                  tensor.release();
                }
              });

          assertThat(memory.freed).hasValue(1);
          assertThat(retain(tensor)).isFalse();
        });
  }

  @Test
  void isFreedOnceWhenTwoThreadsCloseIt() {
    Schedules.explore(
        300,
        () -> {
          Counted memory = new Counted(true); // no leak watch stands before the second close
          Tensor tensor = Tensor.of(memory, DataType.INT32, Shape.of(1));

          Threads.both(tensor::close, tensor::close);

          assertThat(memory.freed).hasValue(1);
        });
  }

  @Test
  void freesTheMemoryThatARunBringsAfterTheClose() {
    Schedules.explore(
        300,
        () -> {
          Counted memory = new Counted();
          Tensor tensor = Tensor.pending(DataType.INT32, ID);
          tensor.retain();

          Threads.both(
              tensor::close,
              () -> {
                tensor.resolve(memory, Shape.of(1));
                assertThat(memory.freed).hasValue(0);
                tensor.release();
              });

          assertThat(memory.freed).hasValue(1);
        });
  }

  @Test
  void aPendingTensorThatNobodyHoldsTakesNoMemory() {
    Schedules.explore(
        300,
        () -> {
          Counted memory = new Counted();
          Tensor tensor = Tensor.pending(DataType.INT32, ID);

          Threads.both(tensor::close, () -> tensor.resolve(memory, Shape.of(1)));

          assertThat(memory.freed).hasValue(1);
        });
  }

  private static boolean retain(Tensor tensor) {
    try {
      tensor.retain();
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }
}
