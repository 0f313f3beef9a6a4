package dev.millrace.profiler.launch;

import dev.millrace.program.Arguments;
import dev.millrace.program.Program;
import dev.millrace.program.Run;
import dev.millrace.program.RunMode;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.Shape;
import dev.millrace.trace.TraceRange;
import dev.millrace.trace.TraceSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * One client of a program: it owns a stream, and loops over pre-processing, the program and
 * post-processing on it. One thread at a time.
 */
final class Client implements AutoCloseable {
  private final String name;
  private final Program program;
  private final RunMode mode;
  private final DeviceStream stream;
  private final Arguments arguments;
  private final List<Preprocessing> preprocessing = new ArrayList<>();
  private long turns;
  private volatile long answer;

  Client(int number, Program program, RunMode mode, Device device) {
    name = "client-" + number;
    this.program = program;
    this.mode = mode;
    stream = device.newStream();
    arguments = program.arguments();
  }

  /** Makes the inputs; clients of one number and seed have the same ones in every arm. */
  void makeInputs(Map<String, Shape> shapes, SplittableRandom random) {
    shapes.forEach(
        (input, shape) ->
            preprocessing.add(
                new Preprocessing(arguments.allocateInput(input, shape), random.split())));
  }

  /** Makes the program ready for such inputs. */
  void warmUp() {
    preprocessing.forEach(Preprocessing::run);
    program.warmUp(arguments);
  }

  void loop(int count) {
    for (int i = 0; i < count; i++) {
      try (TraceRange _ = TraceSession.iteration(name, ++turns)) {
        turn();
      }
    }
  }

  private void turn() {
    stream.call(() -> preprocessing.forEach(Preprocessing::run));
    try (Run run = program.runAsync(arguments, stream, mode)) {
      stream.call(() -> answer = Postprocessing.answer(run.output(0)));
      stream.synchronize();
    }
  }

  /** What the last turn's post-processing said. */
  long answer() {
    return answer;
  }

  @Override
  public void close() {
    arguments.close();
    stream.close();
  }
}
