package dev.millrace.program;

import dev.millrace.binding.StreamBound;
import dev.millrace.handle.StreamHandle;
import dev.millrace.spi.DeviceDriver;
import dev.millrace.spi.EngineLane;
import dev.millrace.spi.LoadedProgram;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.stream.StreamContext;
import dev.millrace.trace.Trace;
import dev.millrace.trace.TraceEvent;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One lane of a program: the engine's slot, a context with an own stream and the lane's handles,
 * and the order of the runs that use it. Its lock is held while a run is submitted, never while one
 * runs; a second submission is ordered behind the first on the device.
 */
final class ProgramLane implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.millrace.program");

  private final ProgramCore core;
  private final int number;
  private final Device device;
  private final DeviceDriver driver;
  private final StreamContext context;
  private final DeviceStream own;
  private final long ownAddress;
  private final EngineLane engine;
  private final boolean mayCapture;
  private final ReentrantLock lock = new ReentrantLock();

  private final LaneRuns runs;

  /** The event of the lane's last run: whoever uses the lane next waits for it. */
  private long lastDone;

  private long lastTarget;
  private volatile long lastRun;
  private volatile long lastHome;

  /** Belongs to a capture of the application, until that gives it up. */
  private volatile boolean reserved;

  ProgramLane(ProgramCore core, int number, Device device, LoadedProgram loaded) {
    this.core = core;
    this.number = number;
    this.device = device;
    this.driver = device.driver();
    this.context = device.newContext();
    this.own = context.own();
    this.ownAddress = own.handle().address();
    this.mayCapture = device.features().capture();
    try {
      this.runs = new LaneRuns(this, driver);
    } catch (RuntimeException | Error e) {
      context.close();
      throw e;
    }
    try {
      this.engine = loaded.newLane(this::addHandle);
    } catch (RuntimeException | Error e) {
      runs.close();
      context.close();
      throw e;
    }
  }

  private void addHandle(String name, LongSupplier current, LongConsumer pointAt) {
    context.attachNew(new LaneHandle(device, name, current, pointAt));
  }

  /** A library handle of the engine, as a participant of the lane's context. */
  private record LaneHandle(Device device, String name, LongSupplier current, LongConsumer pointAt)
      implements StreamBound {
    @Override
    public StreamHandle stream() {
      return new StreamHandle(device.id(), current.getAsLong());
    }

    @Override
    public void setStream(StreamHandle stream) {
      pointAt.accept(stream.address());
    }
  }

  DeviceStream own() {
    return own;
  }

  byte[] programName() {
    return core.nameForLastWords();
  }

  long ownAddress() {
    return ownAddress;
  }

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  /** Takes the lane if no run of it is in flight and nobody submits one. */
  boolean tryLockIdle() {
    if (inFlight() > 0 || !lock.tryLock()) {
      return false;
    }
    if (inFlight() == 0) {
      return true;
    }
    lock.unlock();
    return false;
  }

  boolean isReserved() {
    return reserved;
  }

  int inFlight() {
    return runs.inFlight();
  }

  /** Whether the lane's last run was for this stream, whose own order then serves. */
  boolean lastServed(DeviceStream home) {
    return lastHome == home.traceId();
  }

  String describe() {
    return "%s lane=%d of %s: runs in flight=%d, last run=%d for stream=%d"
        .formatted(device, number, core, inFlight(), lastRun, lastHome);
  }

  void finished(InFlight run) {
    runs.giveBack(run);
    core.finishedRun();
  }

  /**
   * Submits a run; the caller holds the lock, and one hold on the core that the end of the run
   * gives back.
   */
  long submit(ArgumentSet arguments, DeviceStream home, RunMode mode, @Nullable Run run) {
    long id = Trace.nextId();
    if (run != null) {
      run.submittedTo(home, id);
    }
    long beganNs = Trace.isOn() ? System.nanoTime() : 0;
    long outer = beganNs == 0 ? 0 : Trace.enterRun(id);
    try {
      start(id, arguments, home, mode, run);
    } finally {
      if (beganNs != 0) {
        Trace.enterRun(outer);
        tell(id, home, mode, beganNs);
      }
    }
    return id;
  }

  private void start(
      long id, ArgumentSet arguments, DeviceStream home, RunMode mode, @Nullable Run run) {
    int before = inFlight();
    InFlight current = hold(id, arguments, home, run);
    long homeAddress = home.acquired();
    long target = mode == RunMode.EXTERNAL ? homeAddress : ownAddress;
    boolean enqueued = false;
    try {
      refuseCapturing(home, homeAddress);
      waitForLane(id, target, before);
      if (mode == RunMode.FORK_JOIN) {
        driver.recordEvent(runs.forked(), homeAddress);
        driver.waitEvent(ownAddress, runs.forked());
      }
      context.enter(mode == RunMode.EXTERNAL ? home : own, false);
      enqueued = true; // from here on the engine may have enqueued something
      enqueueBound(arguments, target, current, false);
    } catch (RuntimeException | Error e) {
      abandon(current, target, enqueued, e);
      throw e;
    }
    watch(current, target);
    lastRun = id;
    lastHome = home.traceId();
    if (mode == RunMode.FORK_JOIN) {
      driver.waitEvent(homeAddress, current.done());
    }
  }

  /** Our events would become part of the capture, or break it. */
  private void refuseCapturing(DeviceStream home, long address) {
    if (mayCapture && home != own && driver.isCapturing(address)) {
      throw new IllegalStateException(
          "run "
              + core
              + " on "
              + home
              + " while it is being captured: Program.capture puts a run into a capture");
    }
  }

  /**
   * Puts a run into the capture of a stream, and keeps the lane for it until {@link #endCapture}.
   * The caller holds the lock of the lane, which is idle, and one hold on the core.
   */
  InFlight capture(ArgumentSet arguments, DeviceStream home) {
    long id = Trace.nextId();
    InFlight current = hold(id, arguments, home, null);
    try {
      context.enter(home, true);
      enqueueBound(arguments, home.acquired(), current, true);
    } catch (RuntimeException | Error e) {
      current.abandon();
      current.letGo();
      throw e;
    }
    reserved = true;
    return current;
  }

  void endCapture(InFlight current) {
    reserved = false;
    current.letGo();
  }

  /** Whether what libraries and the engine do at a first run has been done. */
  boolean isWarm() {
    return lastRun != 0;
  }

  private InFlight hold(long id, ArgumentSet arguments, DeviceStream home, @Nullable Run run) {
    int held = 0;
    try {
      home.acquire("run on");
      held++;
      arguments.retainForRun();
      held++;
      InFlight current = runs.take();
      current.begin(id, arguments, home, run);
      return current;
    } catch (RuntimeException | Error e) {
      if (held > 1) {
        arguments.releaseAfterRun();
      }
      if (held > 0) {
        home.release();
      }
      core.finishedRun();
      throw e;
    }
  }

  /** Orders the run behind the lane's last one, on the device. */
  private void waitForLane(long id, long target, int before) {
    if (before == 0) {
      return;
    }
    if (Trace.isOn()) {
      Trace.emit(new TraceEvent.LaneWaited(id, number, lastRun, System.nanoTime()));
    }
    if (target != lastTarget) {
      driver.waitEvent(target, lastDone);
    }
  }

  /** The context is bound already, and not any more afterwards. */
  private void enqueueBound(
      ArgumentSet arguments, long stream, InFlight current, boolean capturing) {
    Throwable failure = null;
    try {
      if (capturing) {
        engine.enqueueInCapture(arguments.prepared(), stream, current);
      } else {
        engine.enqueue(arguments.prepared(), stream, current);
      }
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    } finally {
      context.leave(failure);
    }
  }

  private void watch(InFlight current, long target) {
    try {
      recordDone(current, target);
    } catch (RuntimeException | Error e) {
      current.abandon();
      waitInstead(current, target, e);
      throw e;
    }
  }

  /** From here on the next run of the lane waits for this one. */
  private void recordDone(InFlight current, long target) {
    driver.recordEvent(current.done(), target);
    lastDone = current.done();
    lastTarget = target;
    driver.whenDone(current.done(), current);
  }

  /** The submission failed. What may have been enqueued is still waited for before it is freed. */
  private void abandon(InFlight current, long target, boolean enqueued, Throwable failure) {
    current.abandon();
    if (!enqueued) {
      current.run();
      return;
    }
    try {
      recordDone(current, target);
    } catch (RuntimeException | Error e) {
      failure.addSuppressed(e);
      waitInstead(current, target, failure);
    }
  }

  private void waitInstead(InFlight current, long target, Throwable failure) {
    try {
      driver.synchronizeStream(target, Long.MAX_VALUE);
      current.run();
    } catch (RuntimeException | Error e) {
      // Nobody can say when the device is done with this memory: it is never freed.
      failure.addSuppressed(e);
      LOG.log(System.Logger.Level.ERROR, "a run of " + core + " can no longer be watched", e);
    }
  }

  private void tell(long id, DeviceStream home, RunMode mode, long beganNs) {
    Trace.emit(
        new TraceEvent.RunSubmitted(
            id,
            Trace.currentCaller(),
            Trace.currentIteration(),
            mode == RunMode.EXTERNAL ? TraceEvent.Mode.EXTERNAL : TraceEvent.Mode.FORK_JOIN,
            core.toString(),
            number,
            home.traceId(),
            own.traceId(),
            Thread.currentThread().threadId(),
            beganNs,
            System.nanoTime()));
  }

  /** Gives the lane back; no run of it is in flight. */
  @Override
  public void close() {
    try (context) {
      engine.close();
    } finally {
      runs.close();
    }
  }
}
