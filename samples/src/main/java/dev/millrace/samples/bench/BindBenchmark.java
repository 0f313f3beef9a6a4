package dev.millrace.samples.bench;

import dev.millrace.binding.StreamBinding;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.stream.StreamContext;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A binding without participants, opened and closed. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls open()
public class BindBenchmark {
  private Device device;
  private StreamContext context;
  private DeviceStream stream;

  /** Opens a device. */
  @Setup
  public void open() {
    device = Device.open("host");
    context = device.newContext();
    stream = device.newStream();
  }

  /** Bind and restore. */
  @Benchmark
  public void bindAndRestore() {
    try (StreamBinding _ = context.bind(stream)) {
      // and back
    }
  }

  /** Closes everything. */
  @TearDown
  public void close() {
    context.close();
    stream.close();
    device.close();
  }
}
