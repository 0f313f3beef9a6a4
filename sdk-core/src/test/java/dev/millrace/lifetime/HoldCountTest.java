package dev.millrace.lifetime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.millrace.testing.Threads;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HoldCountTest {

  @Test
  void startsWithOneHold() {
    HoldCount holds = new HoldCount();

    assertThat(holds.isHeld()).isTrue();
    assertThat(holds.release()).isTrue();
    assertThat(holds.isHeld()).isFalse();
  }

  @Test
  void onlyTheLastReleaseIsTheLast() {
    HoldCount holds = new HoldCount();
    assertThat(holds.retain()).isTrue();
    assertThat(holds.retain()).isTrue();

    assertThat(holds.release()).isFalse();
    assertThat(holds.release()).isFalse();
    assertThat(holds.release()).isTrue();
  }

  @Test
  void isNeverHeldAgain() {
    HoldCount holds = new HoldCount();
    assertThat(holds.release()).isTrue();

    assertThat(holds.retain()).isFalse();
    assertThatIllegalStateException().isThrownBy(holds::release);
    assertThatIllegalStateException().isThrownBy(holds::release);
    assertThat(holds.retain()).isFalse();
    assertThat(holds.isHeld()).isFalse();
  }

  @Test
  void losesNoHoldAmongThreads() throws InterruptedException {
    for (int round = 0; round < 50; round++) {
      HoldCount holds = new HoldCount();
      AtomicInteger last = new AtomicInteger();
      AtomicInteger refused = new AtomicInteger();
      int threads = 4;
      Threads.together(
          Collections.nCopies(
              threads,
              () -> {
                for (int i = 0; i < 2_000; i++) {
                  if (!holds.retain()) {
                    refused.incrementAndGet();
                  } else if (holds.release()) {
                    last.incrementAndGet();
                  }
                }
              }));
      assertThat(refused).hasValue(0);
      assertThat(last).hasValue(0);
      assertThat(holds.release()).isTrue();
    }
  }
}
