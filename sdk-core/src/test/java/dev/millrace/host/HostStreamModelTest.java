package dev.millrace.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.handle.DeviceId;
import dev.millrace.testing.Seeds;
import java.lang.foreign.Arena;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Random programs of stream calls, against {@link HipOrder}. */
class HostStreamModelTest {
  private static final int DEVICES = 100;
  private static final int PROGRAMS_EACH = 20;

  @Test
  void ordersWhatHipOrdersAndNothingElse(TestInfo info) {
    Seeds.of(info).forEach(DEVICES, HostStreamModelTest::runProgramsOnANewDevice);
  }

  // On a new device no thread is there yet; on one that was used, some are idle.
  private static void runProgramsOnANewDevice(SplittableRandom random) {
    HostDriver driver = new HostDriver(new DeviceId("host", 0), 1 << 20);
    try (Arena memory = Arena.ofShared()) {
      for (int i = 0; i < PROGRAMS_EACH; i++) {
        new StreamExecution(StreamProgram.random(random), driver, memory, random).run();
      }
      driver.close();
      assertThat(driver.describe()).as("what is outstanding after the end").isEmpty();
    }
  }
}
