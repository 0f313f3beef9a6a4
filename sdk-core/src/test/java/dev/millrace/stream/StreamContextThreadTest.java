package dev.millrace.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.binding.StreamBinding;
import dev.millrace.binding.StreamBound;
import dev.millrace.handle.StreamHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A second thread that comes while participants are on their way. */
class StreamContextThreadTest {

  /** While it is pointed somewhere, another thread tries to bind its context. */
  private static final class Interrupted implements StreamBound {
    private final Runnable attempt;
    private StreamHandle at;
    private final List<String> answers = new ArrayList<>();

    Interrupted(StreamHandle at, Runnable attempt) {
      this.at = at;
      this.attempt = attempt;
    }

    @Override
    public String name() {
      return "interrupted";
    }

    @Override
    public StreamHandle stream() {
      return at;
    }

    @Override
    public void setStream(StreamHandle stream) {
      at = stream;
      answers.add(CompletableFuture.runAsync(attempt).handle(this::answer).join());
    }

    private String answer(@Nullable Void done, @Nullable Throwable failure) {
      return failure == null ? "nothing was refused" : String.valueOf(failure.getCause());
    }
  }

  @Test
  void isRefusedWhileTheyGoAndWhileTheyComeBack() {
    try (Device device = Device.open("host");
        DeviceStream mine = device.newStream();
        DeviceStream others = device.newStream();
        StreamContext context = device.newContext()) {
      StreamHandle home = context.own().handle();
      Interrupted participant = new Interrupted(home, () -> context.bind(others).close());
      context.attach(participant);

      try (StreamBinding binding = context.bind(mine)) {
        assertThat(binding.stream()).isEqualTo(mine.handle());
        assertThat(participant.stream()).isEqualTo(mine.handle());
      }

      assertThat(participant.stream()).isEqualTo(home);
      assertThat(participant.answers)
          .hasSize(2)
          .allMatch(answer -> answer.contains("the context is bound by thread="));
    }
  }

  @Test
  void isTakenOverFromAThreadThatEndedWhileItWasBound() throws InterruptedException {
    try (Device device = Device.open("host")) {
      DeviceStream mine = device.newStream();
      StreamContext context = device.newContext();
      CompletableFuture<StreamBinding> bound = new CompletableFuture<>();
      Thread gone = Thread.ofPlatform().start(() -> bound.complete(context.bind(mine)));
      gone.join();
      assertThat(bound).isCompleted();

      context.close();

      mine.close();
      assertThat(device.describe()).isEmpty();
    }
  }
}
