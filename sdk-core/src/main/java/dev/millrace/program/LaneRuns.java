package dev.millrace.program;

import dev.millrace.spi.DeviceDriver;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a lane and their events: those in flight are counted, those that are done are kept
 * for the next ones, so that a warm lane makes none. Any thread.
 */
final class LaneRuns implements AutoCloseable {
  /** One run on the device and one behind it; a deeper queue makes one more for each new depth. */
  private static final int READY = 2;

  private final ProgramLane lane;
  private final DeviceDriver driver;

  /** Recorded on the caller's stream where a run forks. */
  private final long forked;

  private int inFlight;
  private @Nullable InFlight idle;

  LaneRuns(ProgramLane lane, DeviceDriver driver) {
    this.lane = lane;
    this.driver = driver;
    this.forked = driver.createJoinEvent();
    try {
      for (int i = 0; i < READY; i++) {
        keep(new InFlight(lane, driver.createEvent()));
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  long forked() {
    return forked;
  }

  synchronized int inFlight() {
    return inFlight;
  }

  InFlight take() {
    InFlight kept = takeKept();
    return kept == null ? taken(new InFlight(lane, driver.createEvent())) : kept;
  }

  private synchronized @Nullable InFlight takeKept() {
    InFlight kept = idle;
    if (kept == null) {
      return null;
    }
    idle = kept.nextIdle;
    kept.nextIdle = null;
    return taken(kept);
  }

  private synchronized InFlight taken(InFlight run) {
    inFlight++;
    return run;
  }

  synchronized void giveBack(InFlight run) {
    inFlight--;
    keep(run);
  }

  private void keep(InFlight run) {
    run.nextIdle = idle;
    idle = run;
  }

  /** Destroys all events, whichever fails: nobody could try again. No run is in flight. */
  @Override
  public synchronized void close() {
    RuntimeException failure = destroy(forked, null);
    for (InFlight run = idle; run != null; run = run.nextIdle) {
      failure = destroy(run.done(), failure);
      run.close();
    }
    idle = null;
    if (failure != null) {
      throw failure;
    }
  }

  private @Nullable RuntimeException destroy(long event, @Nullable RuntimeException earlier) {
    try {
      driver.destroyEvent(event);
      return earlier;
    } catch (RuntimeException e) {
      if (earlier == null) {
        return e;
      }
      earlier.addSuppressed(e);
      return earlier;
    }
  }
}
