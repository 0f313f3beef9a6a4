package dev.millrace.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class LaunchTest {
  private static final LaunchLimits LIMITS =
      new LaunchLimits(Integer.MAX_VALUE, 65_536, 65_536, 1024, 1024, 64, 1024, 65_536);

  private static final KernelDescription KERNEL =
      new KernelDescription("k", "k.kd", 0, 256, 512, List.of());

  @Test
  void coversEveryElement() {
    assertThat(Launch.covering(1000, 256).gridX()).isEqualTo(4);
    assertThat(Launch.covering(1024, 256).gridX()).isEqualTo(4);
    assertThat(Launch.covering(1025, 256).gridX()).isEqualTo(5);
    assertThatThrownBy(() -> Launch.covering(0, 256)).hasMessageContaining("elements=0");
    assertThatThrownBy(() -> Launch.covering(1L << 40, 1)).hasMessageContaining("blocks=");
  }

  @Test
  void emptyGridsAndBlocksAreRefusedByName() {
    assertThatThrownBy(() -> Launch.of(0, 1)).hasMessage("launch gridX=0: expected 1 or more");
    assertThatThrownBy(() -> Launch.of(1, 0)).hasMessage("launch blockX=0: expected 1 or more");
    assertThatThrownBy(() -> Launch.of(1, 1).withSharedBytes(-1))
        .hasMessageContaining("sharedBytes=-1");
  }

  @Test
  void whatDeviceOrKernelCannotTakeIsRefusedWithTheLimit() {
    LIMITS.check(KERNEL, Launch.of(1, 512).withSharedBytes(65_280));
    assertRefused(Launch.of(1, 513), "given threads of a block=513, expected at most 512");
    assertRefused(Launch.of(1, 1).withSharedBytes(65_281), "given shared bytes of a block=65537");
    assertRefused(Launch.of(1, 1).withBlock(1, 1, 65), "given blockZ=65, expected at most 64");
    assertRefused(Launch.of(1, 1).withGrid(1, 65_537, 1), "given gridY=65537");
    assertRefused(Launch.of(Integer.MAX_VALUE, 3), "given threads in x=6442450941");
  }

  private static void assertRefused(Launch launch, String message) {
    assertThatThrownBy(() -> LIMITS.check(KERNEL, launch))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("launch kernel=k: " + message);
  }
}
