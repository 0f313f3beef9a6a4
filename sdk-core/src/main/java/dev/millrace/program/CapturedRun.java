package dev.millrace.program;

import dev.millrace.tensor.Tensor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A run that is part of a capture of the application's. It happens whenever the application replays
 * that, which nobody tells us: so it has no completion, and until it is closed its lane is no other
 * run's, and its inputs and outputs stay alive where they are. Close it when nothing that was
 * captured will be replayed any more and the last replay is done. Any thread.
 */
public final class CapturedRun implements AutoCloseable {
  private final ProgramCore core;
  private final ProgramLane lane;
  private final InFlight captured;
  private final ArgumentSet arguments;
  private final boolean ownsArguments;
  private final long id;
  private final AtomicBoolean closed = new AtomicBoolean();

  CapturedRun(
      ProgramCore core,
      ProgramLane lane,
      InFlight captured,
      ArgumentSet arguments,
      boolean ownsArguments) {
    this.core = core;
    this.lane = lane;
    this.captured = captured;
    this.arguments = arguments;
    this.ownsArguments = ownsArguments;
    this.id = captured.id();
  }

  /**
   * An output, written by each replay.
   *
   * @param index its place in the program's order
   * @return the tensor, owned by the arguments or by this run
   */
  public Tensor output(int index) {
    if (closed.get()) {
      throw new IllegalStateException("take an output of closed " + this);
    }
    return arguments.output(index, core);
  }

  /**
   * An output, by name.
   *
   * @param name its name in the program
   * @return the tensor, owned by the arguments or by this run
   */
  public Tensor output(String name) {
    return output(ArgumentSet.outputIndex(name, core));
  }

  /** Gives the lane, the inputs and the outputs back. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    lane.endCapture(captured);
    if (ownsArguments) {
      arguments.closeOwned();
    }
  }

  @Override
  public String toString() {
    return "captured run=" + id + " of " + core;
  }
}
