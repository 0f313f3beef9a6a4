package dev.millrace.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.millrace.binding.StreamBinding;
import dev.millrace.binding.StreamBound;
import dev.millrace.handle.StreamHandle;
import dev.millrace.testing.Schedules;
import dev.millrace.testing.Threads;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One context and two threads. */
@Tag("fray")
final class StreamContextScheduleTest {

  /** A library handle; volatile, so that a schedule may switch at each look. */
  private static final class Handle implements StreamBound {
    private volatile StreamHandle at;

    Handle(StreamHandle at) {
      this.at = at;
    }

    @Override
    public String name() {
      return "handle";
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

  /** What starts threads of its own starts them before the first schedule. */
  @BeforeAll
  static void startBackground() {
    try (Device device = Device.open("host")) {
      device.newStream().close();
    }
  }

  @Test
  void aBoundContextRefusesASecondThreadAndChangesNothing() {
    Schedules.explore(
        150,
        () -> {
          try (Device device = Device.open("host");
              DeviceStream first = device.newStream();
              DeviceStream second = device.newStream();
              StreamContext context = device.newContext()) {
            Handle handle = new Handle(context.own().handle());
            context.attach(handle);
            try (StreamBinding binding = context.bind(first)) {
              Threads.both(
                  () -> refuseEverything(context, binding, second, handle),
                  () -> {
                    try (StreamBinding _ = context.bind(second)) {
                      assertThat(context.current()).isEqualTo(second.handle());
                      assertThat(handle.stream()).isEqualTo(second.handle());
                    }
                    assertThat(context.current()).isEqualTo(first.handle());
                  });
              assertThat(handle.stream()).isEqualTo(first.handle());
              assertThat(binding.stream()).isEqualTo(first.handle());
            }
            assertThat(handle.stream()).isEqualTo(context.own().handle());
            assertThat(context.isExternal()).isFalse();
          }
        });
  }

  private static void refuseEverything(
      StreamContext context, StreamBinding binding, DeviceStream stream, Handle handle) {
    assertThatIllegalStateException().isThrownBy(() -> context.bind(stream));
    assertThatIllegalStateException().isThrownBy(binding::close);
    assertThatIllegalStateException().isThrownBy(() -> context.detach(handle));
    assertThatIllegalStateException().isThrownBy(() -> context.attach(handle));
    assertThatIllegalStateException().isThrownBy(() -> context.waitFor(stream));
    assertThatIllegalStateException().isThrownBy(context::current);
    assertThatIllegalStateException().isThrownBy(context::close);
  }

  @Test
  void aStreamIsEitherBoundOrClosed() {
    Schedules.explore(
        300,
        () -> {
          try (Device device = Device.open("host");
              StreamContext context = device.newContext()) {
            DeviceStream stream = device.newStream();

            Threads.both(
                () -> closeUnlessBound(stream),
                () -> {
                  try (StreamBinding _ = context.bind(stream)) {
                    assertThat(context.stream()).isSameAs(stream);
                    stream.call(() -> {});
                  } catch (IllegalStateException e) {
                    assertThat(e).hasMessageContaining("bind closed stream");
                  }
                });

            stream.close();
          }
        });
  }

  private static void closeUnlessBound(DeviceStream stream) {
    try {
      stream.close();
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("while it is bound");
    }
  }

  @SuppressWarnings("try") // closing early is what is tested; the second close does nothing
  @Test
  void aStreamThatIsClosedWhileItIsUsedIsRefusedOrDrained() {
    Schedules.explore(
        300,
        () -> {
          try (Device device = Device.open("host")) {
            DeviceStream stream = device.newStream();
            AtomicInteger ran = new AtomicInteger();
            AtomicInteger submitted = new AtomicInteger();

            Threads.both(
                stream::close,
                () -> {
                  try {
                    stream.call(ran::incrementAndGet);
                    submitted.set(1);
                    stream.synchronize();
                    assertThat(ran).hasValue(1);
                  } catch (IllegalStateException e) {
                    assertThat(e).hasMessageContaining("closed stream");
                  }
                });
            device.close();

            assertThat(ran).hasValue(submitted.get());
          }
        });
  }
}
