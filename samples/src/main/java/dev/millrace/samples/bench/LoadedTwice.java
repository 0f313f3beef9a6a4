package dev.millrace.samples.bench;

import ai.onnxruntime.OrtException;
import dev.millrace.program.Arguments;
import dev.millrace.program.Program;
import dev.millrace.samples.models.MeasuredModel;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A model loaded by Millrace, and once more by ONNX Runtime alone over the same two tensors. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the parameter, then calls open()
public class LoadedTwice {
  /** Which model; JMH wants to set it. */
  @Param public MeasuredModel model;

  Device device;
  Program program;
  Arguments arguments;
  DeviceStream stream;
  BareSession bare;

  /** Loads the model. */
  @Setup
  public void open() throws OrtException {
    device = Device.open("host");
    program = model.load(device);
    arguments = model.withOutput(program);
    stream = device.newStream();
    bare = new BareSession(model, arguments.input(0), arguments.output(0));
  }

  /** For a host function, which ONNX Runtime's exception would not fit. */
  void runBare() {
    try {
      bare.run();
    } catch (OrtException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Closes everything. */
  @TearDown
  public void close() throws OrtException {
    bare.close();
    stream.close();
    arguments.close();
    program.close();
    device.close();
  }
}
