package dev.millrace.program;

import dev.millrace.lifetime.HoldCount;
import dev.millrace.model.CompileOptions;
import dev.millrace.spi.LoadedProgram;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.TensorSpec;
import dev.millrace.trace.LastWords;
import dev.millrace.trace.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a program holds: the engine's program and its lanes. Held once by the {@code Program}, once
 * by each run in flight and once by each thread that submits one; given back by whoever lets go
 * last.
 */
final class ProgramCore {
  private static final System.Logger LOG = System.getLogger("dev.millrace.program");

  private final Device device;
  private final String name;
  private final byte[] nameForLastWords;
  private final LoadedProgram loaded;
  private final List<TensorSpec> inputs;
  private final List<ProgramLane> lanes = new ArrayList<>();
  private final HoldCount holds = new HoldCount();
  private final @Nullable Semaphore slots;
  private volatile boolean open = true;

  ProgramCore(
      Device device,
      String name,
      LoadedProgram loaded,
      List<TensorSpec> inputs,
      CompileOptions options) {
    this.device = device;
    this.name = name;
    this.nameForLastWords = LastWords.nameOf(name);
    this.loaded = loaded;
    this.inputs = inputs;
    this.slots = options.maxInFlight() == 0 ? null : new Semaphore(options.maxInFlight(), true);
    try {
      for (int i = 0; i < options.lanes(); i++) {
        lanes.add(new ProgramLane(this, i, device, loaded));
      }
    } catch (RuntimeException | Error e) {
      giveBack();
      throw e;
    }
  }

  Device device() {
    return device;
  }

  byte[] nameForLastWords() {
    return nameForLastWords;
  }

  LoadedProgram loaded() {
    return loaded;
  }

  List<TensorSpec> inputs() {
    return inputs;
  }

  int lanes() {
    return lanes.size();
  }

  void checkOpen(String act) {
    if (!open) {
      throw new IllegalStateException(act + " closed " + this);
    }
  }

  /** Submits a run to the caller's stream. */
  long submit(ArgumentSet arguments, DeviceStream home, RunMode mode, @Nullable Run run) {
    home.checkUsable(device, "run on");
    home.throwFailures("run on");
    holdForRun();
    try {
      ProgramLane lane = choose(home);
      try {
        return lane.submit(arguments, home, mode, run);
      } finally {
        lane.unlock();
      }
    } finally {
      release();
    }
  }

  /**
   * Submits a run to a lane's own stream, and does it on the calling thread if that may.
   *
   * @return whether the calling thread did it
   */
  boolean runNow(Run run) {
    holdForRun();
    try {
      return runNow(run, choose(null));
    } finally {
      release();
    }
  }

  private boolean runNow(Run run, ProgramLane lane) {
    boolean claimed = false;
    long own = lane.ownAddress();
    try {
      claimed = claim(own);
      lane.submit(run.arguments(), lane.own(), RunMode.EXTERNAL, run);
    } finally {
      lane.unlock();
      if (claimed) {
        device.driver().runClaimed(own);
      }
    }
    return claimed;
  }

  private boolean claim(long stream) {
    try {
      return device.driver().tryClaim(stream);
    } catch (RuntimeException | Error e) {
      finishedRun();
      throw e;
    }
  }

  /** Runs every lane once, one after the other. */
  void warmUp(Supplier<Run> newRun) {
    for (ProgramLane lane : lanes) {
      if (lane.isReserved()) {
        continue; // it has run before, and is a capture's now
      }
      try (Run run = newRun.get()) {
        holdForRun();
        lane.lock();
        try {
          lane.submit(run.arguments(), lane.own(), RunMode.EXTERNAL, run);
        } finally {
          lane.unlock();
          release();
        }
        run.finish(TraceEvent.HostWait.BLOCKED);
      }
    }
  }

  /** Any lane, for a run whose lane is not chosen yet. */
  ProgramLane anyLane() {
    return lanes.getFirst();
  }

  /**
   * Holds twice: for the run, until its work is done, and for the submitting thread, until it has
   * left the lane. The work may be done, and the program closed, before that.
   */
  private void holdForRun() {
    checkOpen("run");
    if (slots != null) {
      slots.acquireUninterruptibly();
    }
    if (!holds.retain()) {
      freeSlot();
      checkOpen("run");
    }
    holds.retain();
  }

  /** Puts a run into the capture of a stream. */
  CapturedRun capture(ArgumentSet arguments, boolean ownsArguments, DeviceStream home) {
    home.checkUsable(device, "capture a run on");
    checkCapture(home);
    holdForRun();
    try {
      ProgramLane lane = idleWarmLane();
      try {
        InFlight captured = lane.capture(arguments, home);
        return new CapturedRun(this, lane, captured, arguments, ownsArguments);
      } finally {
        lane.unlock();
      }
    } finally {
      release();
    }
  }

  private void checkCapture(DeviceStream home) {
    if (!device.features().capture()) {
      throw new UnsupportedOperationException(
          "capture a run of " + this + ": " + device + " captures nothing");
    }
    List<String> reasons = loaded.notCapturableBecause();
    if (!reasons.isEmpty()) {
      throw new IllegalStateException(
          "capture a run of " + this + ": " + String.join("; ", reasons));
    }
    if (!device.driver().isCapturing(home.handle().address())) {
      throw new IllegalStateException(
          "capture a run of " + this + " on " + home + ", which is not being captured");
    }
  }

  private ProgramLane idleWarmLane() {
    for (ProgramLane lane : lanes) {
      if (lane.isWarm() && lane.tryLockIdle()) {
        return lane;
      }
    }
    finishedRun();
    throw new IllegalStateException(
        "capture a run of "
            + this
            + ": no lane is idle and has run before; lanes="
            + lanes.size()
            + ", each captured run keeps one until it is closed; Program.warmUp runs them all");
  }

  /** A locked lane: an idle one, else the one that this stream used last, else the least busy. */
  private ProgramLane choose(@Nullable DeviceStream home) {
    // By index: an iterator would be the one object that a submission allocates.
    for (int i = 0; i < lanes.size(); i++) {
      if (lanes.get(i).tryLockIdle()) {
        return lanes.get(i);
      }
    }
    while (true) {
      ProgramLane chosen = leastBusy(home);
      chosen.lock();
      if (!chosen.isReserved()) {
        return chosen;
      }
      chosen.unlock(); // a capture took it meanwhile
    }
  }

  private ProgramLane leastBusy(@Nullable DeviceStream home) {
    ProgramLane chosen = null;
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < lanes.size(); i++) {
      ProgramLane lane = lanes.get(i);
      int busy = home != null && lane.lastServed(home) ? -1 : lane.inFlight();
      if (busy < least && !lane.isReserved()) {
        least = busy;
        chosen = lane;
      }
    }
    if (chosen == null) {
      finishedRun();
      throw new IllegalStateException(
          "run " + this + ": captured runs keep its lanes=" + lanes.size());
    }
    return chosen;
  }

  /** What the lanes that are taken wait for, a line each. */
  List<String> describe() {
    return lanes.stream().filter(lane -> lane.inFlight() > 0).map(ProgramLane::describe).toList();
  }

  void finishedRun() {
    freeSlot();
    release();
  }

  private void freeSlot() {
    if (slots != null) {
      slots.release();
    }
  }

  /** No more runs; what is in flight goes on. */
  void close() {
    open = false;
    release();
  }

  private void release() {
    if (holds.release()) {
      giveBack();
    }
  }

  private void giveBack() {
    for (ProgramLane lane : lanes.reversed()) {
      closeQuietly(lane);
    }
    closeQuietly(loaded);
  }

  /** On a thread of the driver nobody could catch it. */
  private void closeQuietly(AutoCloseable part) {
    try {
      part.close();
    } catch (Exception e) {
      LOG.log(System.Logger.Level.WARNING, "close " + this, e);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
