package dev.millrace.lifetime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Schedules;
import dev.millrace.testing.Threads;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("fray")
final class OnceScheduleTest {

  @Test
  void runsEachActionOnceOrSaysThatItIsLate() {
    Schedules.explore(
        300,
        () -> {
          Once once = new Once();
          AtomicInteger runs = new AtomicInteger();
          AtomicInteger accepted = new AtomicInteger();

          Threads.both(
              once::happen,
              () -> {
                for (int i = 0; i < 3; i++) {
                  accepted.addAndGet(once.whenHappens(runs::incrementAndGet) ? 1 : 0);
                }
              });

          assertThat(runs).hasValue(accepted.get());
          assertThat(once.whenHappens(runs::incrementAndGet)).isFalse();
        });
  }

  @Test
  void losesNoActionOfTwoThreads() {
    Schedules.explore(
        300,
        () -> {
          Once once = new Once();
          AtomicInteger runs = new AtomicInteger();

          Threads.both(() -> registerTwice(once, runs), () -> registerTwice(once, runs));
          once.happen();

          assertThat(runs).hasValue(4);
        });
  }

  private static void registerTwice(Once once, AtomicInteger runs) {
    assertThat(once.whenHappens(runs::incrementAndGet)).isTrue();
    assertThat(once.whenHappens(runs::incrementAndGet)).isTrue();
  }

  @Test
  void wakesWhoeverWaits() {
    Schedules.explore(
        300,
        () -> {
          Once once = new Once();
          AtomicInteger before = new AtomicInteger();

          Threads.both(
              () ->
                  Threads.both(
                      () -> awaitAndExpect(once, before), () -> awaitAndExpect(once, before)),
              () -> {
                before.set(1);
                once.happen();
              });
        });
  }

  private static void awaitAndExpect(Once once, AtomicInteger before) {
    assertThat(once.await(Long.MAX_VALUE)).isTrue();
    assertThat(before).hasValue(1);
  }

  @Test
  void keepsTheInterruptOfAWaitThatItDoesNotEnd() {
    Schedules.explore(
        300,
        () -> {
          Once once = new Once();
          Thread waiter = Thread.currentThread();

          Threads.both(
              () -> {
                waiter.interrupt();
                once.happen();
              },
              () -> {
                assertThat(once.await(Long.MAX_VALUE)).isTrue();
                assertThat(Thread.interrupted()).isTrue();
              });
        });
  }
}
