package dev.millrace.samples.gpubench;

import dev.millrace.gpu.stream.CurrentDevice;
import dev.millrace.spi.EngineLane;
import dev.millrace.spi.InFlightRun;
import dev.millrace.spi.LaneHandles;
import dev.millrace.spi.LoadedProgram;
import dev.millrace.spi.PreparedArguments;
import dev.millrace.tensor.Tensor;
import dev.millrace.tensor.TensorSpec;
import java.util.List;

/**
 * A program that is so many launches of one kernel, one after the other, without tensors.
 *
 * @param kernel what is launched
 * @param kernels how often
 * @param ordinal of the device
 */
record LaunchProgram(Kernels.Raw kernel, int kernels, int ordinal) implements LoadedProgram {

  private enum NoArguments implements PreparedArguments {
    NONE;

    @Override
    public void close() {
      // There is nothing.
    }
  }

  private record Lane(LaunchProgram program) implements EngineLane {
    @Override
    public void enqueue(PreparedArguments arguments, long stream, InFlightRun run) {
      program.launchAll(stream);
    }

    @Override
    public void close() {
      // It has nothing of its own.
    }
  }

  private void launchAll(long stream) {
    int former = CurrentDevice.enter(ordinal);
    try {
      for (int i = 0; i < kernels; i++) {
        kernel.launch(stream);
      }
    } finally {
      CurrentDevice.leave(former, ordinal);
    }
  }

  @Override
  public List<TensorSpec> inputs() {
    return List.of();
  }

  @Override
  public List<TensorSpec> outputs() {
    return List.of();
  }

  @Override
  public EngineLane newLane(LaneHandles handles) {
    return new Lane(this);
  }

  @Override
  public PreparedArguments prepare(List<Tensor> inputs, List<Tensor> outputs) {
    return NoArguments.NONE;
  }

  @Override
  public long laneBytes() {
    return 0;
  }

  @Override
  public List<String> synchronousBecause() {
    return List.of();
  }

  @Override
  public List<String> notCapturableBecause() {
    return List.of();
  }

  @Override
  public void close() {
    // The kernels are the benchmark's.
  }
}
