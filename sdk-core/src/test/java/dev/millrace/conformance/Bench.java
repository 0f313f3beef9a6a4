package dev.millrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.binding.StreamBinding;
import dev.millrace.model.CompileOptions;
import dev.millrace.program.Arguments;
import dev.millrace.program.Run;
import dev.millrace.program.RunMode;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.stream.StreamContext;
import java.util.ArrayList;
import java.util.List;

/**
 * A device with one of everything that a chain of calls can touch. After something failed it says
 * whether all is as it was, whether all still works, and whether all can be given back.
 */
final class Bench implements AutoCloseable {
  final DeviceUnderTest kind;
  final FaultyDriver driver;
  final Device device;
  final AddProgram add;
  final Arguments arguments;
  final DeviceStream s;
  final DeviceStream t;
  final StreamContext context;
  final List<LoggingHandle> handles;
  final List<String> moves = new ArrayList<>();
  private final DeviceStream home;
  private final List<Runnable> opened = new ArrayList<>();

  Bench(DeviceUnderTest kind) {
    this.kind = kind;
    driver = new FaultyDriver(kind.open());
    device = Device.of(driver);
    add = AddProgram.load(kind, device, CompileOptions.defaults());
    arguments = add.completeArguments(1);
    s = device.newStream();
    t = device.newStream();
    home = device.newStream();
    context = device.newContext();
    handles = LoggingHandle.three(home.handle(), moves);
    handles.forEach(context::attach);
    add.program().warmUp(arguments);
    leaveTheLaneToTheCaller();
  }

  /**
   * Where a synchronous run is done by its caller, that is possible as soon as the thread that did
   * the last one has left. Tests count calls, and shall count the same ones each time.
   */
  private void leaveTheLaneToTheCaller() {
    while (device.features().hostFunctions() && driver.log().of("runClaimed").isEmpty()) {
      add.program().run(arguments).close();
    }
  }

  Run closing(Run run) {
    opened.add(run::close);
    return run;
  }

  Gate closing(Gate gate) {
    opened.add(gate::close);
    return gate;
  }

  void closing(Arguments made) {
    opened.add(made::close);
  }

  void closing(AddProgram loaded) {
    opened.add(loaded::close);
  }

  boolean isHome(LoggingHandle handle) {
    return handle.stream().equals(home.handle());
  }

  /** Row 6: nothing is bound, and each handle is where it was. */
  void assertAsBefore() {
    assertThat(context.isExternal()).isFalse();
    assertThat(context.current()).isEqualTo(context.own().handle());
    assertThat(handles).allMatch(this::isHome, "is home");
  }

  /** Nobody is told of the failure a second time, and no stream is held. */
  void assertNothingPending() {
    for (DeviceStream stream : List.of(s, t, home, context.own(), device.nullStream())) {
      stream.synchronize();
      assertThat(stream.isIdle()).as("%s is idle", stream).isTrue();
    }
  }

  /** Everything that may have failed works now, with right results. */
  void assertWorks() {
    float number = 10;
    for (RunMode mode : RunMode.values()) {
      for (DeviceStream stream : List.of(s, t, device.nullStream())) {
        AddProgram.fill(arguments, ++number);
        try (Run run = add.program().runAsync(arguments, stream, mode)) {
          stream.synchronize();
          AddProgram.assertSum(run.output("sum"), number);
        }
      }
    }
    AddProgram.fill(arguments, 20);
    add.program().run(arguments).close();
    AddProgram.assertSum(arguments.output("sum"), 20);
    try (StreamBinding _ = context.bind(s);
        Run run = add.program().run(arguments, context)) {
      assertThat(handles).allMatch(handle -> handle.stream().equals(s.handle()), "is bound");
      AddProgram.assertSum(run.output("sum"), 20);
    }
  }

  /** Gives everything back, and looks whether anything is left. */
  @Override
  public void close() {
    opened.reversed().forEach(Runnable::run);
    arguments.close();
    add.close();
    context.close();
    for (DeviceStream stream : List.of(s, t, home)) {
      stream.close();
    }
    driver.synchronize();
    assertThat(driver.liveStreams()).as("streams left").isEmpty();
    assertThat(driver.liveEvents()).as("events left").isEmpty();
    assertThat(driver.liveBytes()).as("bytes left").isZero();
    device.close();
  }
}
