package dev.millrace.samples.models;

import dev.millrace.model.CompileOptions;
import dev.millrace.model.Model;
import dev.millrace.program.Arguments;
import dev.millrace.program.Program;
import dev.millrace.stream.Device;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Random;

/** A model to measure, of one input and one output of floats. */
public enum MeasuredModel {
  /** {@code y = x + x} of four floats. */
  ONE_NODE,

  /** The recogniser of PP-OCRv4, for a line of text of 48 by 320 pixels. */
  RECOGNISER;

  /** As the models are run everywhere in the measurements, with and without Millrace. */
  public static final int THREADS_PER_RUN = 1;

  private static final long SEED = 20261130;

  /**
   * The model itself.
   *
   * @return an ONNX file's bytes
   */
  public byte[] bytes() {
    return switch (this) {
      case ONE_NODE -> OneNode.bytes();
      case RECOGNISER -> resource("/models/ch_PP-OCRv4_rec_infer.onnx");
    };
  }

  private Shape input() {
    return switch (this) {
      case ONE_NODE -> Shape.of(4);
      case RECOGNISER -> Shape.of(1, 3, 48, 320);
    };
  }

  private Shape output() {
    return switch (this) {
      case ONE_NODE -> Shape.of(4);
      case RECOGNISER -> Shape.of(1, 40, 6625);
    };
  }

  /**
   * Loads it with one lane.
   *
   * @param device where it will run
   * @return the program, the caller's to close
   */
  public Program load(Device device) {
    CompileOptions options = CompileOptions.defaults().withThreadsPerRun(THREADS_PER_RUN);
    return Program.load(Model.onnx(bytes()), device, options);
  }

  /**
   * Arguments whose input is filled, always with the same random values.
   *
   * @param program what {@link #load} gave
   * @return arguments without an output: each run allocates its own
   */
  public Arguments withoutOutput(Program program) {
    Arguments arguments = program.arguments();
    Tensor tensor = arguments.allocateInput(program.inputs().getFirst().name(), input());
    float[] values = new float[Math.toIntExact(tensor.shape().elements())];
    Random random = new Random(SEED);
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat();
    }
    tensor.write(values);
    return arguments;
  }

  /**
   * As {@link #withoutOutput}, with memory that each run writes.
   *
   * @param program what {@link #load} gave
   * @return arguments with which a run allocates no tensor
   */
  public Arguments withOutput(Program program) {
    Arguments arguments = withoutOutput(program);
    arguments.allocateOutput(program.outputs().getFirst().name(), output());
    return arguments;
  }

  private static byte[] resource(String name) {
    try (InputStream file = MeasuredModel.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalStateException("resource=" + name + " is not on the class path");
      }
      return file.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("read resource=" + name, e);
    }
  }
}
