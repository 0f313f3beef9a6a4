package dev.millrace.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.DeviceException;
import dev.millrace.model.CompileOptions;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.testing.Schedules;
import dev.millrace.testing.Threads;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two threads and a program of one lane. */
@Tag("fray")
final class ProgramLaneScheduleTest {

  /** What starts threads of its own starts them before the first schedule. */
  @BeforeAll
  static void startBackground() {
    try (Device device = Device.open("host")) {
      device.newStream().close();
    }
  }

  /** A device, a program of one lane on it, and what has to hold once both are closed. */
  private static final class OneLane implements AutoCloseable {
    final Device device = Device.open("host");
    final CheckedProgram loaded = new CheckedProgram(device.driver());
    final Program program = loaded.on(device, CompileOptions.defaults());

    Arguments arguments(long value) {
      Arguments arguments = program.arguments();
      arguments.input("x").write(new long[] {value, 7});
      arguments.output("y");
      return arguments;
    }

    void expect(Arguments arguments, long value) {
      assertThat(arguments.output("y").readLongs()[0]).isEqualTo(CheckedProgram.expected(value));
    }

    @Override
    public void close() {
      program.close();
      device.close();
      assertThat(loaded.wrong).isEmpty();
      assertThat(loaded.closed).hasValue(1);
      assertThat(loaded.openArguments).hasValue(0);
    }
  }

  @Test
  void runsOfTwoStreamsFollowOneAnother() {
    Schedules.explore(
        150,
        () -> {
          try (OneLane here = new OneLane()) {
            Threads.both(
                () -> runAsync(here, RunMode.EXTERNAL, 11),
                () -> runAsync(here, RunMode.FORK_JOIN, 22));
          }
        });
  }

  @Test
  void synchronousRunsOfTwoThreadsFollowOneAnother() {
    Schedules.explore(
        150,
        () -> {
          try (OneLane here = new OneLane()) {
            Threads.both(() -> run(here, 11), () -> run(here, 22));
          }
        });
  }

  @Test
  void aSynchronousRunFollowsOneOfAStream() {
    Schedules.explore(
        150,
        () -> {
          try (OneLane here = new OneLane()) {
            Threads.both(() -> run(here, 11), () -> runAsync(here, RunMode.EXTERNAL, 22));
          }
        });
  }

  private static void run(OneLane here, long value) {
    try (Arguments arguments = here.arguments(value)) {
      here.program.run(arguments).close();
      here.expect(arguments, value);
    }
  }

  private static void runAsync(OneLane here, RunMode mode, long value) {
    try (DeviceStream stream = here.device.newStream();
        Arguments arguments = here.arguments(value);
        Run _ = here.program.runAsync(arguments, stream, mode)) {
      stream.synchronize();
      here.expect(arguments, value);
    }
  }

  @Test
  void aRunIsRefusedOrComesToItsEndWhenTheProgramIsClosed() {
    Schedules.explore(
        300,
        () -> {
          closeWhile(
              (here, arguments) -> {
                try (DeviceStream stream = here.device.newStream();
                    Run _ = here.program.runAsync(arguments, stream, RunMode.FORK_JOIN)) {
                  stream.synchronize();
                }
              });
        });
  }

  @Test
  void aSynchronousRunIsRefusedOrComesToItsEndWhenTheProgramIsClosed() {
    Schedules.explore(
        300,
        () -> {
          closeWhile((here, arguments) -> here.program.run(arguments).close());
        });
  }

  private interface Use {
    void of(OneLane here, Arguments arguments);
  }

  private static void closeWhile(Use use) {
    try (OneLane here = new OneLane();
        Arguments arguments = here.arguments(11)) {
      Threads.both(
          here.program::close,
          () -> {
            try {
              use.of(here, arguments);
              here.expect(arguments, 11);
            } catch (IllegalStateException e) {
              assertThat(e).hasMessage("run closed checked");
            }
          });
    }
  }

  @Test
  void aRunThatIsRefusedForItsTensorsLeavesAClosedProgramToTheLast() {
    Schedules.explore(
        150,
        () -> {
          try (OneLane here = new OneLane();
              Arguments arguments = here.arguments(11)) {
            arguments.input("x").close();

            Threads.both(
                here.program::close,
                () ->
                    assertThatThrownBy(() -> here.program.run(arguments))
                        .isInstanceOf(IllegalStateException.class)
                        .message()
                        .containsAnyOf("run closed checked", "it is closed"));
          }
        });
  }

  @Test
  void whoeverWaitsForTheStreamIsToldOfAForkedRunThatFailed() {
    Schedules.explore(
        150,
        () -> {
          try (OneLane here = new OneLane();
              DeviceStream stream = here.device.newStream();
              Arguments arguments = here.arguments(-1);
              Run run = here.program.runAsync(arguments, stream, RunMode.FORK_JOIN)) {
            assertThatThrownBy(stream::synchronize)
                .isInstanceOf(DeviceException.class)
                .hasRootCauseInstanceOf(CheckedProgram.Planned.class);
            stream.synchronize();
            assertThatThrownBy(run::await).isInstanceOf(DeviceException.class);
          }
        });
  }
}
