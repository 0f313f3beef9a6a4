package dev.millrace.gpu.kernel;

import dev.millrace.lifetime.HoldCount;
import dev.millrace.spi.DeviceDriver;
import org.jspecify.annotations.Nullable;

/**
 * The work in flight of a module or a library handle, which it keeps alive: given back by whoever
 * lets go last, its owner or the last work. Any thread.
 */
final class WorkPool {
  private static final System.Logger LOG = System.getLogger("dev.millrace.gpu.kernel");

  private final DeviceDriver driver;
  private final String owner;
  private final Runnable giveBack;
  private final HoldCount holds = new HoldCount();
  private @Nullable WorkInFlight idle;

  /** Held once, by the owner; {@code giveBack} frees what the owner holds. */
  WorkPool(DeviceDriver driver, String owner, Runnable giveBack) {
    this.driver = driver;
    this.owner = owner;
    this.giveBack = giveBack;
  }

  /** For one piece of work: keeps the owner, and nothing else yet. */
  WorkInFlight take(String act) {
    if (!holds.retain()) {
      throw closed(act);
    }
    synchronized (this) {
      WorkInFlight taken = idle;
      if (taken != null) {
        idle = taken.nextIdle;
        taken.nextIdle = null;
        return taken;
      }
    }
    return new WorkInFlight(this, driver);
  }

  IllegalStateException closed(String act) {
    return new IllegalStateException(act + ": " + owner + " is closed");
  }

  void idle(WorkInFlight work) {
    synchronized (this) {
      work.nextIdle = idle;
      idle = work;
    }
    release();
  }

  /** The owner closes, or a piece of work is done. Never throws: nobody could be told. */
  void release() {
    if (!holds.release()) {
      return;
    }
    try {
      destroyEvents();
      giveBack.run();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "close " + owner, e);
    }
  }

  private synchronized void destroyEvents() {
    for (WorkInFlight one = idle; one != null; one = one.nextIdle) {
      one.destroyEvent();
    }
    idle = null;
  }
}
