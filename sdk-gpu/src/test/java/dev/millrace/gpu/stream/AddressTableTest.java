package dev.millrace.gpu.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

final class AddressTableTest {
  private static final int STEPS = 5_000;

  @Test
  void agreesWithAMapWhateverIsPutAndRemoved(TestInfo info) {
    Seeds.of(info).forEach(50, AddressTableTest::compareWithMap);
  }

  private static void compareWithMap(RandomGenerator random) {
    AddressTable<String> table = new AddressTable<>();
    Map<Long, String> map = new HashMap<>();
    int addresses = random.nextInt(1, 2_000);
    for (int i = 0; i < STEPS; i++) {
      long address = 0x7f00_0000_0000L + 64L * random.nextInt(addresses);
      if (random.nextBoolean()) {
        table.put(address, "at " + i);
        map.put(address, "at " + i);
      } else {
        assertThat(table.remove(address)).isEqualTo(map.remove(address));
      }
      long other = 0x7f00_0000_0000L + 64L * random.nextInt(addresses);
      assertThat(table.get(other)).isEqualTo(map.get(other));
    }
    map.forEach((address, text) -> assertThat(table.get(address)).isEqualTo(text));
  }

  @Test
  void alwaysFindsWhatIsThereWhileAnotherThreadMakesItGrow() throws Exception {
    AddressTable<String> table = new AddressTable<>();
    table.put(4096, "mine");
    AtomicBoolean lost = new AtomicBoolean();
    Thread reader =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!Thread.currentThread().isInterrupted()) {
                    if (!"mine".equals(table.get(4096))) {
                      lost.set(true);
                    }
                  }
                });
    for (long address = 8192; address < 8192 + 64 * 20_000L; address += 64) {
      table.put(address, "another");
    }
    reader.interrupt();
    reader.join();
    assertThat(lost).isFalse();
  }
}
