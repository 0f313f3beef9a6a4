package dev.millrace.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.binding.StreamBound;
import dev.millrace.handle.StreamHandle;
import org.junit.jupiter.api.Test;

final class StreamContextParticipantsTest {

  /** Remembers where it was pointed. */
  private static final class Remembering implements StreamBound {
    private final String name;
    private StreamHandle at;

    Remembering(String name, StreamHandle at) {
      this.name = name;
      this.at = at;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public StreamHandle stream() {
      return at;
    }

    @Override
    public void setStream(StreamHandle stream) {
      at = stream;
    }
  }

  @Test
  void namesTheHandlesInTheOrderOfTheirAttachment() {
    try (Device host = Device.open("host");
        StreamContext context = host.newContext()) {
      StreamBound first = new Remembering("first", host.nullStream().handle());
      StreamBound second = new Remembering("second", host.nullStream().handle());
      assertThat(context.participants()).isEmpty();
      context.attach(first);
      context.attach(second);
      assertThat(context.participants()).containsExactly(first, second);
      context.detach(first);
      assertThat(context.participants()).containsExactly(second);
    }
  }

  @Test
  void aHandleHasAWorkspaceUnlessItSaysOtherwise() {
    try (Device host = Device.open("host")) {
      StreamBound handle = new Remembering("handle", host.nullStream().handle());
      assertThat(handle.hasWorkspace()).isTrue();
    }
  }

  @Test
  void aClosedContextNamesNone() {
    try (Device host = Device.open("host")) {
      StreamContext context = host.newContext();
      context.close();
      assertThatThrownBy(context::participants)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed context");
    }
  }
}
