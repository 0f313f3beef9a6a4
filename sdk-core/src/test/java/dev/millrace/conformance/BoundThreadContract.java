package dev.millrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.binding.StreamBinding;
import dev.millrace.program.Arguments;
import dev.millrace.stream.DeviceStream;
import dev.millrace.stream.StreamContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Row 4, its last sentence: a bound context belongs to the thread that bound it. */
@DisplayName("Row 4: a bound context on a second thread")
public abstract class BoundThreadContract extends DeviceContract {
  private final List<String> moves = new ArrayList<>();
  private StreamContext context;
  private LoggingHandle handle;
  private DeviceStream s;
  private DeviceStream t;

  @BeforeEach
  void makeContext() {
    context = closing(device.newContext());
    s = newStream();
    t = newStream();
    handle = new LoggingHandle("blas", t.handle(), moves);
    context.attach(handle);
  }

  @Test
  void refusesEachUseAndNamesBothThreads() throws Exception {
    AddProgram add = newAddProgram();
    Arguments arguments = closing(add.arguments(1));
    LoggingHandle another = new LoggingHandle("another", t.handle(), moves);
    try (StreamBinding binding = context.bind(s)) {
      refuses("bind", () -> context.bind(t));
      refuses("close the binding", binding::close);
      refuses("ask the binding", binding::stream);
      refuses("close", context::close);
      refuses("attach", () -> context.attach(another));
      refuses("attachNew", () -> context.attachNew(another));
      refuses("detach", () -> context.detach(handle));
      refuses("current", context::current);
      refuses("isExternal", context::isExternal);
      refuses("stream", context::stream);
      refuses("waitFor", () -> context.waitFor(t));
      refuses("finishOn", () -> context.finishOn(t));
      refuses("synchronize", context::synchronize);
      refuses("run", () -> add.program().run(arguments, context));
      refuses("runAsync", () -> add.program().runAsync(arguments, context));
    }
  }

  private void refuses(String name, Executable use) throws Exception {
    moves.clear();
    driver.log().forget();
    Throwable thrown = SecondThread.call("stranger", () -> thrownBy(use));
    assertThat(thrown)
        .as(name)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("stranger")
        .hasMessageContaining(Thread.currentThread().getName());
    assertThat(moves).as("moves by %s", name).isEmpty();
    assertThat(driver.log().calls()).as("calls by %s", name).isEmpty();
    assertThat(handle.stream()).isEqualTo(s.handle());
  }

  private static Throwable thrownBy(Executable use) {
    try {
      use.execute();
    } catch (Throwable thrown) {
      return thrown;
    }
    throw new AssertionError("it was not refused");
  }

  @Test
  void isFineOnceTheBindingIsClosed() throws Exception {
    context.bind(s).close();
    SecondThread.call(
        "stranger",
        () -> {
          try (StreamBinding _ = context.bind(s)) {
            assertThat(handle.stream()).isEqualTo(s.handle());
          }
          return null;
        });
    assertThat(handle.stream()).isEqualTo(t.handle());
  }

  @Test
  void leavesTheOwningThreadsBindingInOrder() throws Exception {
    StreamBinding binding = context.bind(s);
    Throwable thrown = SecondThread.call("stranger", () -> thrownBy(binding::close));
    assertThat(thrown).isInstanceOf(IllegalStateException.class);
    assertThat(context.current()).isEqualTo(s.handle());
    binding.close();
    assertThat(context.isExternal()).isFalse();
    assertThat(handle.stream()).isEqualTo(t.handle());
    assertThatThrownBy(binding::stream).isInstanceOf(IllegalStateException.class);
  }
}
