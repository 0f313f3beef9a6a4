package dev.millrace.program;

import dev.millrace.spi.InFlightRun;
import dev.millrace.stream.DeviceStream;
import dev.millrace.trace.LastWords;
import dev.millrace.trace.Trace;
import dev.millrace.trace.TraceEvent;
import org.jspecify.annotations.Nullable;

/**
 * What a run in flight keeps alive, let go when its work is done. Reused: a lane keeps those that
 * are done for its next runs, so that a submission allocates none.
 */
final class InFlight implements InFlightRun, Runnable {
  private static final System.Logger LOG = System.getLogger("dev.millrace.program");

  private final ProgramLane lane;

  /**
   * Recorded behind the run's work. No other run records it while somebody waits for this one, so
   * that a completion never stands behind a later run's.
   */
  private final long done;

  /** Where a crash of the process leaves word of this run; -1 for nowhere. */
  private final int lastWords = LastWords.takeSlot();

  private long id;
  private @Nullable ArgumentSet arguments;
  private @Nullable DeviceStream home;
  private @Nullable Run run;
  private boolean told;
  private @Nullable Throwable failure;

  /** The next of the lane's idle ones. */
  @Nullable InFlight nextIdle;

  InFlight(ProgramLane lane, long done) {
    this.lane = lane;
    this.done = done;
  }

  long done() {
    return done;
  }

  void begin(long id, ArgumentSet arguments, DeviceStream home, @Nullable Run run) {
    this.id = id;
    this.arguments = arguments;
    this.home = home;
    this.run = run;
    this.told = false;
    this.failure = null;
    LastWords.begin(lastWords, id, lane.programName(), home.traceId());
  }

  /** No run will use it any more. */
  void close() {
    LastWords.giveBackSlot(lastWords);
  }

  @Override
  public long id() {
    return id;
  }

  /** Told to the stream at once: whoever waits for it may go on before the run is let go. */
  @Override
  public synchronized void fail(Throwable reason) {
    DeviceStream stream = home;
    if (failure != null || stream == null) {
      return;
    }
    failure = reason;
    if (!told) {
      stream.reportLater(reason);
    }
  }

  /** The submission itself throws: nobody is to be told again. */
  synchronized void abandon() {
    told = true;
    if (failure != null && home != null) {
      home.withdraw(failure);
    }
  }

  /** The run is done: called once, on a thread of the driver. */
  @Override
  public void run() {
    Throwable reason;
    Run waiting;
    synchronized (this) {
      reason = failure;
      waiting = told ? null : run;
    }
    if (Trace.isOn()) {
      String message = reason == null ? null : String.valueOf(reason.getMessage());
      Trace.emit(new TraceEvent.RunCompleted(id, System.nanoTime(), message));
    }
    letGo();
    if (waiting != null) {
      waiting.complete(reason);
    }
  }

  /** Lets go of what the run used; called once. */
  void letGo() {
    LastWords.end(lastWords);
    ArgumentSet set = arguments;
    DeviceStream stream = home;
    arguments = null;
    home = null;
    run = null;
    try {
      if (set != null) {
        set.releaseAfterRun();
      }
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.WARNING, "free what run=" + id + " used", e);
    }
    if (stream != null) {
      stream.release();
    }
    lane.finished(this);
  }
}
