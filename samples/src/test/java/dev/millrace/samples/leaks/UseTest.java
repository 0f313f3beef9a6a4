package dev.millrace.samples.leaks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.Device;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UseTest {
  private static final int TURNS = 10;
  private static final long FAR_TOO_LONG_MS = 60_000;

  @ParameterizedTest
  @EnumSource(Endurance.class)
  void leavesNoDeviceMemoryAndNoThread(Endurance one) throws InterruptedException {
    try (Device device = Device.open("host")) {
      try (Use use = one.on(device)) {
        repeat(use);
        long held = Sample.deviceBytes(device);
        repeat(use);
        assertThat(Sample.deviceBytes(device)).isEqualTo(held);
      }
      assertThat(Sample.deviceBytes(device)).isZero();
    }
    for (Thread thread : streamThreads()) {
      thread.join(FAR_TOO_LONG_MS); // it has let go of its device, and is on its way out
    }
    assertThat(streamThreads()).isEmpty();
  }

  private static void repeat(Use use) {
    for (int turn = 0; turn < TURNS; turn++) {
      use.once(turn);
    }
  }

  private static List<Thread> streamThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("millrace-host"))
        .toList();
  }
}
