package dev.millrace.lifetime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Schedules;
import dev.millrace.testing.Threads;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("fray")
final class HoldCountScheduleTest {

  @Test
  void exactlyOneReleaseIsTheLast() {
    Schedules.explore(
        300,
        () -> {
          HoldCount holds = new HoldCount();
          AtomicInteger last = new AtomicInteger();

          Threads.both(
              () -> {
                if (holds.retain()) {
                  assertThat(holds.isHeld()).isTrue();
                  release(holds, last);
                }
              },
              () -> release(holds, last));

          assertThat(last).hasValue(1);
          assertThat(holds.retain()).isFalse();
        });
  }

  private static void release(HoldCount holds, AtomicInteger last) {
    if (holds.release()) {
      last.incrementAndGet();
      assertThat(holds.isHeld()).isFalse();
    }
  }

  @Test
  void aReleaseTooManyBringsNothingBackToLife() {
    Schedules.explore(
        300,
        () -> {
          HoldCount holds = new HoldCount();
          holds.release();

          Threads.both(
              () -> assertThat(catchRelease(holds)).isTrue(),
              () -> {
                assertThat(holds.retain()).isFalse();
                assertThat(holds.isHeld()).isFalse();
              });

          assertThat(catchRelease(holds)).isTrue();
        });
  }

  private static boolean catchRelease(HoldCount holds) {
    try {
      holds.release();
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }
}
