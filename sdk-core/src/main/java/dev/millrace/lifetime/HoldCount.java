package dev.millrace.lifetime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Counts who holds a thing, from one holder at the start to none for ever. Any thread. */
public final class HoldCount {
  private static final VarHandle HOLDS;

  static {
    try {
      HOLDS = MethodHandles.lookup().findVarHandle(HoldCount.class, "holds", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile int holds = 1;

  /** Starts with one hold, the maker's. */
  public HoldCount() {
    // The field says it.
  }

  /**
   * Holds once more.
   *
   * @return false if nobody held it any more, so that it must not be used
   */
  public boolean retain() {
    int seen = holds;
    while (seen > 0) {
      if (HOLDS.compareAndSet(this, seen, Math.incrementExact(seen))) {
        return true;
      }
      seen = holds;
    }
    return false;
  }

  /**
   * Lets go once.
   *
   * @return true if that was the last hold, so that the caller frees the thing
   * @throws IllegalStateException if nobody held it any more
   */
  public boolean release() {
    int before = (int) HOLDS.getAndAdd(this, -1);
    if (before <= 0) {
      // Put back, so that a later mistake is not taken for a hold.
      HOLDS.getAndAdd(this, 1);
      throw new IllegalStateException("release: let go of more often than held");
    }
    return before == 1;
  }

  /**
   * Whether somebody holds it.
   *
   * @return false once the last hold was released
   */
  public boolean isHeld() {
    return holds > 0;
  }
}
