package dev.millrace.samples.leaks;

import dev.millrace.program.Arguments;
import dev.millrace.program.Program;
import dev.millrace.program.Run;
import dev.millrace.program.RunMode;
import dev.millrace.samples.models.MeasuredModel;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceEvent;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;

/** Something that an application does again and again, and that must leave nothing behind. */
interface Use extends AutoCloseable {

  /** Does it, in the ways that there are by turns, and waits until it is done. */
  void once(int turn);

  @Override
  void close();

  /** Runs a program: waited for, on a stream, in fork/join, submitted, with outputs of its own. */
  final class Runs implements Use {
    private final Program program;
    private final DeviceStream stream;
    private final Arguments preallocated;
    private final Arguments allocating;

    Runs(Device device, MeasuredModel model) {
      this.program = model.load(device);
      this.stream = device.newStream();
      this.preallocated = model.withOutput(program);
      this.allocating = model.withoutOutput(program);
    }

    @Override
    public void once(int turn) {
      switch (turn % 5) {
        case 0 -> program.run(preallocated).close();
        case 1 -> program.run(allocating).close();
        case 2 -> await(program.runAsync(allocating, stream));
        case 3 -> await(program.runAsync(preallocated, stream, RunMode.FORK_JOIN));
        default -> {
          program.submit(preallocated, stream);
          stream.synchronize();
        }
      }
    }

    // The stream may go on a moment before the run lets go of its tensors; its completion does not.
    private void await(Run run) {
      stream.synchronize();
      run.completion().join().close();
    }

    @Override
    public void close() {
      allocating.close();
      preallocated.close();
      stream.close();
      program.close();
    }
  }

  /** Makes a stream and closes it: unused, bound, after its work and before. */
  record Streams(Device device) implements Use {
    @Override
    public void once(int turn) {
      try (DeviceStream stream = device.newStream()) {
        if (turn % 4 > 0) {
          stream.call(() -> {});
        }
        if (turn % 4 > 1) {
          stream.synchronize();
        }
      }
    }

    @Override
    public void close() {}
  }

  /** Allocates a tensor, fills, views and copies it. */
  record Tensors(Device device, DeviceStream stream) implements Use {
    private static final Shape SHAPE = Shape.of(16, 64);

    @Override
    public void once(int turn) {
      try (Tensor tensor = device.allocate(DataType.FLOAT, SHAPE);
          Tensor other = device.allocate(DataType.FLOAT, SHAPE);
          Tensor view = tensor.view(Shape.of(SHAPE.elements()))) {
        tensor.segment().fill((byte) turn);
        stream.copy(tensor, other);
        if (view.byteSize() != other.byteSize()) {
          throw new IllegalStateException("a view of another size: " + view);
        }
      }
      stream.synchronize();
    }

    @Override
    public void close() {
      stream.close();
    }
  }

  /** Makes an event, records it on one stream and lets another wait for it. */
  record Events(Device device, DeviceStream earlier, DeviceStream later) implements Use {
    @Override
    public void once(int turn) {
      try (DeviceEvent event = device.newEvent()) {
        earlier.record(event);
        later.waitFor(event);
      }
      later.synchronize();
    }

    @Override
    public void close() {
      later.close();
      earlier.close();
    }
  }

  /** Loads a program, runs it and closes it, some of them with the run in flight. */
  record Programs(Device device, DeviceStream stream) implements Use {
    @Override
    public void once(int turn) {
      MeasuredModel model = MeasuredModel.ONE_NODE;
      try (Program program = model.load(device);
          Arguments arguments = model.withOutput(program)) {
        program.submit(arguments, stream);
        if (turn % 2 == 0) {
          stream.synchronize();
        }
      }
      stream.synchronize();
    }

    @Override
    public void close() {
      stream.close();
    }
  }
}
