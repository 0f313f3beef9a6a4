package dev.millrace.lifetime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testing.Garbage;
import dev.millrace.testing.LogCapture;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeakWatchTest {
  private final LogCapture log = new LogCapture("dev.millrace.lifetime");
  private final AtomicInteger freed = new AtomicInteger();

  @AfterEach
  void stopListening() {
    log.close();
  }

  /** An owner as the SDK's are. */
  private static final class Owner {
    final LeakWatch watch;

    Owner(String type, Runnable free) {
      watch = LeakWatch.on(this, type, free);
    }

    void close() {
      try {
        watch.close();
      } finally {
        Reference.reachabilityFence(this);
      }
    }
  }

  // Not inlined into a frame that would keep the owner reachable.
  private void forget(String type) {
    assertThat(new Owner(type, freed::incrementAndGet).watch).isNotNull();
  }

  private static long leaks(String type) {
    return LeakWatch.leaks().getOrDefault(type, 0L);
  }

  @Test
  void freesOnceWhenTheOwnerCloses() {
    Owner owner = new Owner("ClosedThing", freed::incrementAndGet);

    owner.close();
    owner.close();

    assertThat(freed).hasValue(1);
    assertThat(leaks("ClosedThing")).isZero();
  }

  @Test
  void freesAndReportsOnceWhatNobodyClosed() {
    forget("ForgottenThing");
    Garbage.collectUntil(() -> freed.get() == 1);

    // A second leak is the sign that the first collection was worked off.
    forget("ForgottenThing");
    Garbage.collectUntil(() -> freed.get() == 2);

    assertThat(leaks("ForgottenThing")).isEqualTo(2);
    assertThat(log.records())
        .extracting(LogRecord::getMessage)
        .containsExactly("a ForgottenThing was never closed", "a ForgottenThing was never closed");
  }

  @Test
  void doesNotReportWhatWasClosedBeforeItWasCollected() {
    for (int i = 0; i < 100; i++) {
      new Owner("TidyThing", freed::incrementAndGet).close();
    }
    assertThat(freed).hasValue(100);
    forget("OtherThing");
    Garbage.collectUntil(() -> freed.get() == 101);
    forget("OtherThing");
    Garbage.collectUntil(() -> freed.get() == 102);

    assertThat(LeakWatch.leaks()).doesNotContainKey("TidyThing");
  }

  @Test
  void saysWhereTheOwnerWasMade() {
    forget("SitedThing");
    Garbage.collectUntil(() -> freed.get() == 1);

    assertThat(log.records())
        .singleElement()
        .extracting(LogRecord::getThrown)
        .satisfies(
            site -> {
              assertThat(site).hasMessage("SitedThing was made here");
              assertThat(site.getStackTrace())
                  .anyMatch(frame -> frame.getMethodName().equals("saysWhereTheOwnerWasMade"));
            });
  }

  @Test
  void saysThatFreeingALeakFailedAndGoesOn() {
    forgetFaulty();
    Garbage.collectUntil(() -> log.records().size() == 2);
    forget("NextThing");
    Garbage.collectUntil(() -> freed.get() == 1);

    assertThat(log.records().get(1).getMessage())
        .isEqualTo("a FaultyThing that was never closed: free failed");
    assertThat(log.records().get(1).getThrown()).hasMessage("no such block");
  }

  private static void forgetFaulty() {
    Runnable free =
        () -> {
          throw new IllegalStateException("no such block");
        };
    assertThat(new Owner("FaultyThing", free).watch).isNotNull();
  }

  @Test
  void throwsToTheOwnerWhatFreeingThrows() {
    Owner owner =
        new Owner(
            "BrokenThing",
            () -> {
              throw new IllegalStateException("device lost");
            });

    assertThatThrownBy(owner::close).hasMessage("device lost");
    owner.close();

    assertThat(leaks("BrokenThing")).isZero();
  }

  @Test
  void watchesOnADaemonThreadOfItsOwn() {
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().equals("millrace-leak-watch"))
        .singleElement()
        .satisfies(
            thread -> {
              assertThat(thread.isDaemon()).isTrue();
              assertThat(thread.getContextClassLoader()).isNull();
            });
  }
}
