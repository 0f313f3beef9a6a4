package dev.millrace.program;

import dev.millrace.model.CompileOptions;
import dev.millrace.spi.DeviceDriver;
import dev.millrace.spi.EngineLane;
import dev.millrace.spi.HostWork;
import dev.millrace.spi.InFlightRun;
import dev.millrace.spi.LaneHandles;
import dev.millrace.spi.LoadedProgram;
import dev.millrace.spi.PreparedArguments;
import dev.millrace.stream.Device;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import dev.millrace.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A program of an engine that notices what an engine of a GPU would suffer from: each run is two
 * functions with scratch of the lane between them, kept in plain memory. It computes y = 3x + 1,
 * and fails if x[0] is negative.
 */
final class CheckedProgram implements LoadedProgram {
  private static final TensorSpec X = new TensorSpec("x", DataType.INT64, Shape.of(2));
  private static final TensorSpec Y = new TensorSpec("y", DataType.INT64, Shape.of(2));

  /** What a run was told to fail with; the key is the run's x[1]. */
  static final class Planned extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final long key;

    Planned(long key) {
      super("key " + key, null, false, false);
      this.key = key;
    }
  }

  final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
  final AtomicInteger runs = new AtomicInteger();
  final AtomicInteger mostInFlight = new AtomicInteger();
  final AtomicInteger openArguments = new AtomicInteger();
  final AtomicInteger openLanes = new AtomicInteger();
  final AtomicInteger closed = new AtomicInteger();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final DeviceDriver driver;

  CheckedProgram(DeviceDriver driver) {
    this.driver = driver;
  }

  /** A program over this, as {@code Program.load} would make it. */
  Program on(Device device, CompileOptions options) {
    return new Program(new ProgramCore(device, "checked", this, inputs(), options));
  }

  static long expected(long x) {
    return 3 * x + 1;
  }

  @Override
  public List<TensorSpec> inputs() {
    return List.of(X);
  }

  @Override
  public List<TensorSpec> outputs() {
    return List.of(Y);
  }

  @Override
  public EngineLane newLane(LaneHandles handles) {
    openLanes.incrementAndGet();
    return new Lane();
  }

  @Override
  public PreparedArguments prepare(List<Tensor> inputs, List<Tensor> outputs) {
    openArguments.incrementAndGet();
    return new Prepared(inputs.getFirst(), outputs.getFirst());
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
    if (inFlight.get() != 0 || openLanes.get() != 0) {
      wrong.add("program closed: runs in flight=" + inFlight + ", open lanes=" + openLanes);
    }
    closed.incrementAndGet();
  }

  private final class Prepared implements PreparedArguments {
    final Tensor x;
    final Tensor y;

    Prepared(Tensor x, Tensor y) {
      this.x = x;
      this.y = y;
    }

    @Override
    public void close() {
      openArguments.decrementAndGet();
    }
  }

  /** Nothing in here is safe for two threads: the program has to see to that. */
  private final class Lane implements EngineLane {
    private final AtomicInteger callers = new AtomicInteger();
    private final List<Long> enqueued = new ArrayList<>();
    private final ArrayDeque<Long> scratch = new ArrayDeque<>();
    private int begun;
    private int done;
    private boolean open = true;

    @Override
    public void enqueue(PreparedArguments arguments, long stream, InFlightRun run) {
      if (callers.incrementAndGet() != 1 || !open) {
        wrong.add("two threads enqueue, or the lane is closed: open=" + open);
      }
      enqueued.add(run.id());
      runs.incrementAndGet();
      int now = inFlight.incrementAndGet();
      mostInFlight.accumulateAndGet(now, Math::max);
      int number = enqueued.size();
      Prepared mine = (Prepared) arguments;
      driver.call(stream, (HostWork) () -> begin(mine, number));
      driver.call(stream, (HostWork) () -> end(mine, number, run));
      callers.decrementAndGet();
    }

    private void begin(Prepared mine, int number) {
      if (++begun != number || done != number - 1 || !scratch.isEmpty()) {
        wrong.add(number + " begins as " + begun + " after " + done + ", scratch=" + scratch);
      }
      MemorySegment x = mine.x.heldMemory().segment();
      scratch.add(x.getAtIndex(ValueLayout.JAVA_LONG, 0));
      scratch.add(x.getAtIndex(ValueLayout.JAVA_LONG, 1));
    }

    private void end(Prepared mine, int number, InFlightRun run) {
      if (begun != number || ++done != number || scratch.size() != 2) {
        wrong.add(number + " ends as " + done + " of " + begun + ", scratch=" + scratch);
      }
      MemorySegment y = mine.y.heldMemory().segment();
      long value = scratch.remove();
      long key = scratch.remove();
      y.setAtIndex(ValueLayout.JAVA_LONG, 0, expected(value));
      y.setAtIndex(ValueLayout.JAVA_LONG, 1, expected(key));
      inFlight.decrementAndGet();
      if (value < 0) {
        run.fail(new Planned(key));
      }
    }

    @Override
    public void close() {
      if (!open || done != enqueued.size()) {
        wrong.add("lane closed: open=" + open + ", done=" + done + " of " + enqueued.size());
      }
      open = false;
      openLanes.decrementAndGet();
    }
  }
}
