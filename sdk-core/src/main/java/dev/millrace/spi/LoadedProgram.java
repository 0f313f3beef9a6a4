package dev.millrace.spi;

import dev.millrace.tensor.Tensor;
import dev.millrace.tensor.TensorSpec;
import java.util.List;

/** A model that an engine has loaded for a device. Any thread, but for {@link #close()}. */
public interface LoadedProgram extends AutoCloseable {

  /**
   * What it takes.
   *
   * @return the inputs, in the model's order
   */
  List<TensorSpec> inputs();

  /**
   * What it gives.
   *
   * @return the outputs, in the model's order
   */
  List<TensorSpec> outputs();

  /**
   * Makes a slot for one run in flight.
   *
   * @param handles takes the library handles that the lane makes
   * @return the lane, the caller's to close before the program
   */
  EngineLane newLane(LaneHandles handles);

  /**
   * Turns tensors into the form that the engine passes to its library. Names, types and shapes were
   * checked before, as far as they are known: a pending tensor has no shape yet. A pending output
   * is resolved by the run, on the stream's thread; one that a failed run leaves is marked failed.
   *
   * @param inputs one tensor an input, in the order of {@link #inputs()}
   * @param outputs one tensor an output, in the order of {@link #outputs()}
   * @return the prepared form, the caller's to close
   */
  PreparedArguments prepare(List<Tensor> inputs, List<Tensor> outputs);

  /**
   * What one lane costs.
   *
   * @return bytes of device memory
   */
  long laneBytes();

  /**
   * Why a run cannot be enqueued without waiting for the device.
   *
   * @return one sentence a reason; empty where it can
   */
  List<String> synchronousBecause();

  /**
   * Why a run cannot be captured.
   *
   * @return one sentence a reason; empty where it can
   */
  List<String> notCapturableBecause();

  /** Gives the program back. Called when no run is in flight and every lane is closed. */
  @Override
  void close();
}
