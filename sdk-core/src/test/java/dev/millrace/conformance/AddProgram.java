package dev.millrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.CompileOptions;
import dev.millrace.program.Arguments;
import dev.millrace.program.Program;
import dev.millrace.program.Run;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.Tensor;

/** A loaded {@link TinyModels#add}, and what it gives for inputs that are told by one number. */
final class AddProgram implements AutoCloseable {
  static final int ELEMENTS = 4;

  private final Program program;

  private AddProgram(Program program) {
    this.program = program;
  }

  static AddProgram load(DeviceUnderTest kind, Device device, CompileOptions options) {
    return new AddProgram(kind.load(TinyModels.add(ELEMENTS), device, options));
  }

  Program program() {
    return program;
  }

  /** Arguments that a number tells; outputs are the runs' own. */
  Arguments arguments(float number) {
    Arguments arguments = program.arguments();
    try {
      fill(arguments, number);
      return arguments;
    } catch (RuntimeException e) {
      arguments.close();
      throw e;
    }
  }

  /** As {@link #arguments}, with an output of their own, so that a run makes nothing. */
  Arguments completeArguments(float number) {
    Arguments arguments = arguments(number);
    try {
      arguments.output("sum");
      return arguments;
    } catch (RuntimeException e) {
      arguments.close();
      throw e;
    }
  }

  static void fill(Arguments arguments, float number) {
    arguments.input("a").write(a(number));
    arguments.input("b").write(new float[] {0.5f, 1, 2, 4});
  }

  static float[] a(float number) {
    return new float[] {number, number + 1, number + 2, number + 3};
  }

  static float[] sum(float number) {
    return new float[] {number + 0.5f, number + 2, number + 4, number + 7};
  }

  static void assertSum(Tensor tensor, float number) {
    assertThat(tensor.readFloats()).as("sum for %s", number).containsExactly(sum(number));
  }

  /** Runs once on a stream and looks at the result. */
  void assertRuns(DeviceStream stream, float number) {
    try (Arguments arguments = arguments(number);
        Run run = program.runAsync(arguments, stream)) {
      stream.synchronize();
      assertSum(run.output("sum"), number);
    }
  }

  @Override
  public void close() {
    program.close();
  }
}
