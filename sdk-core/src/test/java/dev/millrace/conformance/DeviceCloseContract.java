package dev.millrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.millrace.binding.StreamBinding;
import dev.millrace.model.CompileOptions;
import dev.millrace.program.Arguments;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceEvent;
import dev.millrace.stream.DeviceStream;
import dev.millrace.stream.StreamContext;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import dev.millrace.testing.Garbage;
import dev.millrace.testing.LogCapture;
import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is forgotten: by the application, until the device closes or a collection finds it. */
@DisplayName("What was never closed")
public abstract class DeviceCloseContract extends DeviceContract {

  private static List<String> lines(LogCapture log) {
    return log.records().stream()
        .map(record -> MessageFormat.format(record.getMessage(), record.getParameters()))
        .toList();
  }

  @Test
  void isClosedWithTheDeviceLastOpenedFirstAndEachReportedOnce() {
    FaultyDriver other = new FaultyDriver(kind().openOther());
    Device closed = Device.of(other);
    DeviceStream stream = closed.newStream();
    DeviceEvent event = closed.newEvent();
    AddProgram add = AddProgram.load(kind(), closed, CompileOptions.defaults().withLanes(2));
    try (LogCapture log = new LogCapture("dev.millrace.stream")) {
      closed.close();
      assertThat(lines(log))
          .satisfiesExactly(
              line -> assertThat(line).contains(add.program().toString(), "was open"),
              line -> assertThat(line).contains(event.toString(), "was open"),
              line -> assertThat(line).contains(stream.toString(), "was open"));
    }
    assertThat(other.liveStreams()).isEmpty();
    assertThat(other.liveEvents()).isEmpty();
    add.close();
    event.close();
    stream.close();
  }

  @Test
  void isTheNullStreamWhichEndsWithTheDevice() {
    Device closed = Device.of(new FaultyDriver(kind().openOther()));
    DeviceStream stream = closed.nullStream();
    closed.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> stream.call(() -> {}))
        .withMessageContaining("closed null stream");
    assertThatIllegalStateException().isThrownBy(stream::synchronize);
    assertThatIllegalStateException().isThrownBy(stream::isIdle);
  }

  @Test
  void isNotReportedIfItWasClosedUnderARun() {
    FaultyDriver other = new FaultyDriver(kind().openOther());
    Device closed = Device.of(other);
    try (LogCapture log = new LogCapture("dev.millrace.stream")) {
      DeviceStream stream = closed.newStream();
      AddProgram add = AddProgram.load(kind(), closed, CompileOptions.defaults());
      Arguments arguments = add.completeArguments(1);
      try (Gate gate = Gate.on(stream)) {
        add.program().submit(arguments, stream);
        stream.close();
        add.close();
        arguments.close();
        gate.open();
        closed.close();
      }
      assertThat(log.records()).isEmpty();
    }
    assertThat(other.liveBytes()).isZero();
  }

  @Test
  void isClosedAlsoWhereItWasBound() {
    FaultyDriver other = new FaultyDriver(kind().openOther());
    Device closed = Device.of(other);
    StreamContext context = closed.newContext();
    DeviceStream stream = closed.newStream();
    LoggingHandle handle =
        new LoggingHandle("blas", closed.nullStream().handle(), new ArrayList<>());
    context.attach(handle);
    StreamBinding binding = context.bind(stream);
    try (LogCapture _ = new LogCapture("dev.millrace.stream")) {
      closed.close();
    }
    assertThat(handle.stream().isNull()).isTrue();
    assertThat(other.liveStreams()).isEmpty();
    assertThat(other.liveEvents()).isEmpty();
    binding.close();
    context.close();
    stream.close();
  }

  @Test
  void isGivenBackWhenItIsCollected() {
    long bytes = driver.liveBytes();
    int events = driver.liveEvents().size();
    int streams = driver.liveStreams().size();
    try (LogCapture log = new LogCapture("dev.millrace.lifetime")) {
      forget();
      Garbage.collectUntil(
          () ->
              driver.liveBytes() == bytes
                  && driver.liveEvents().size() == events
                  && driver.liveStreams().size() == streams);
      assertThat(lines(log))
          .anyMatch(line -> line.contains("Tensor was never closed"))
          .anyMatch(line -> line.contains("DeviceStream was never closed"))
          .anyMatch(line -> line.contains("DeviceEvent was never closed"))
          .anyMatch(line -> line.contains("Program was never closed"));
    }
  }

  private void forget() {
    assertThat(device.allocate(DataType.FLOAT, Shape.of(1_000)).isClosed()).isFalse();
    assertThat(device.newStream().isIdle()).isTrue();
    assertThat(device.newEvent().isDone()).isTrue();
    assertThat(kind().load(TinyModels.add(1), device, CompileOptions.defaults()).lanes()).isOne();
    assertThat(device.newContext().isExternal()).isFalse();
  }
}
