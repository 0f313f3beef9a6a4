package dev.millrace.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceIdTest {

  @ParameterizedTest
  @CsvSource({"host, host, 0", "gpu:0, gpu, 0", "gpu:12, gpu, 12", "hip-on-cpu:1, hip-on-cpu, 1"})
  void readsKindAndOrdinal(String text, String kind, int ordinal) {
    assertThat(DeviceId.parse(text)).isEqualTo(new DeviceId(kind, ordinal));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        ":0",
        "gpu:",
        "gpu:x",
        "gpu:-1",
        "gpu:+1",
        "gpu:0:0",
        "GPU",
        "gpu 0",
        "0gpu",
        "gpu:99999999999",
        "gpu:\u0661"
      })
  void refusesAnythingElse(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeviceId.parse(text))
        .withMessage("device=" + text + ": expected kind or kind:ordinal, as in host or gpu:1");
  }

  @Test
  void isReadBackFromItsText() {
    DeviceId id = new DeviceId("gpu", 3);

    assertThat(id).hasToString("gpu:3");
    assertThat(DeviceId.parse(id.toString())).isEqualTo(id);
  }

  @Test
  void refusesPartsThatNoTextCanHave() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DeviceId("Gpu", 0))
        .withMessageContaining("kind=Gpu");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DeviceId("gpu", -1))
        .withMessageContaining("ordinal=-1");
  }

  @Test
  void handlesNeedADevice() {
    assertThatNullPointerException()
        .isThrownBy(() -> new StreamHandle(noDevice(), 1))
        .withMessage("device");
    assertThatNullPointerException()
        .isThrownBy(() -> new EventHandle(noDevice(), 1))
        .withMessage("device");
  }

  // What code without null checks may pass.
  @SuppressWarnings("NullAway")
  private static DeviceId noDevice() {
    return null;
  }

  @Test
  void handlesReadAsWhatTheyName() {
    DeviceId gpu = new DeviceId("gpu", 0);

    assertThat(new StreamHandle(gpu, 0)).hasToString("null stream of gpu:0");
    assertThat(new StreamHandle(gpu, 0).isNull()).isTrue();
    assertThat(new StreamHandle(gpu, 0xabcL)).hasToString("stream 0xabc of gpu:0");
    assertThat(new StreamHandle(gpu, 0xabcL).isNull()).isFalse();
    assertThat(new EventHandle(gpu, 0xabcL)).hasToString("event 0xabc of gpu:0");
  }

  @Test
  void streamOptionsAreCopies() {
    StreamOptions urgent = StreamOptions.defaults().withPriority(-1);
    StreamOptions blocking = urgent.withBlocking();

    assertThat(blocking.isBlocking()).isTrue();
    assertThat(blocking.priority()).isEqualTo(-1);
    assertThat(urgent.isBlocking()).isFalse();
    assertThat(StreamOptions.defaults().priority()).isZero();
  }
}
