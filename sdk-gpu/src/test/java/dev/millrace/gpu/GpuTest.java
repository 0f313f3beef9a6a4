package dev.millrace.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.gpu.testing.NeedsHipOnCpu;
import dev.millrace.gpu.testing.NeedsTwoDevices;
import dev.millrace.handle.DeviceId;
import dev.millrace.stream.Device;
import org.junit.jupiter.api.Test;

@NeedsHipOnCpu
final class GpuTest {

  @Test
  @NeedsTwoDevices
  void listsTheDevicesThatHipShows() {
    assertThat(Gpu.list()).containsExactly(new DeviceId("gpu", 0), new DeviceId("gpu", 1));
    assertThat(Gpu.whyAbsent()).isEmpty();
    assertThat(Device.list()).containsAll(Gpu.list());
  }

  @Test
  void isFoundByNamesThatMeanTheSameInEveryProcess() {
    for (DeviceId id : Gpu.list()) {
      try (Device device = Device.open(id.toString())) {
        assertThat(Gpu.byPciBusId(Gpu.pciBusId(device))).isEqualTo(id);
        assertThat(Gpu.byUuid(Gpu.uuid(device))).isEqualTo(id);
        assertThat(Gpu.architecture(device)).matches("(gfx|sm_)\\w+.*");
        assertThat(Gpu.name(device)).isNotBlank();
      }
    }
  }

  @Test
  @NeedsTwoDevices
  void isRefusedByNameWhereThereIsNone() {
    assertThatThrownBy(() -> Gpu.byPciBusId("ffff:ff:1f.0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ffff:ff:1f.0")
        .hasMessageContaining("0000:");
    assertThatThrownBy(() -> Gpu.byUuid("GPU-00"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("GPU-00");
    assertThatThrownBy(() -> Device.open("gpu:7"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("gpu:7")
        .hasMessageContaining("gpu:0 to gpu:1");
  }

  @Test
  void isNotTheHost() {
    try (Device host = Device.open("host")) {
      assertThatThrownBy(() -> Gpu.architecture(host))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("host");
    }
  }
}
