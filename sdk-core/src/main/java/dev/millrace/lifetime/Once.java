package dev.millrace.lifetime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Something that happens once. Whoever waits for it is a {@link Runnable} that the thread runs on
 * which it happens; with none or one of them nothing but this object is allocated. Any thread.
 */
public class Once {
  private static final System.Logger LOG = System.getLogger("dev.millrace.lifetime");
  private static final VarHandle WAITERS;
  private static final Object HAPPENED = new Object();

  static {
    try {
      WAITERS = MethodHandles.lookup().findVarHandle(Once.class, "waiters", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Several waiters, newest first. */
  private record Chain(Runnable action, Object older) {}

  /** Null, a Runnable, a Chain, or HAPPENED for ever. */
  private volatile @Nullable Object waiters;

  /** Makes one that has not happened. */
  public Once() {}

  /**
   * Whether it has happened.
   *
   * @return true for ever after {@link #happen()}
   */
  public final boolean hasHappened() {
    return waiters == HAPPENED;
  }

  /**
   * Runs an action when it happens, on the thread on which it does.
   *
   * @param action short, and throws nothing
   * @return false if it has happened already, so that the action will not be run
   */
  public final boolean whenHappens(Runnable action) {
    while (true) {
      Object seen = waiters;
      if (seen == HAPPENED) {
        return false;
      }
      Object next = seen == null ? action : new Chain(action, seen);
      if (WAITERS.compareAndSet(this, seen, next)) {
        return true;
      }
    }
  }

  /** Makes it happen, and runs the actions that waited, oldest first. */
  public final void happen() {
    Object seen = WAITERS.getAndSet(this, HAPPENED);
    if (seen instanceof Runnable action) {
      run(action);
    } else if (seen instanceof Chain chain) {
      runOldestFirst(chain);
    }
  }

  private static void runOldestFirst(Chain newest) {
    ArrayDeque<Runnable> actions = new ArrayDeque<>();
    Object next = newest;
    while (next instanceof Chain chain) {
      actions.push(chain.action());
      next = chain.older();
    }
    run((Runnable) next);
    actions.forEach(Once::run);
  }

  /** One that throws all the same must not keep the others, or the thread, from what they do. */
  private static void run(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.ERROR, "what waited for something failed when it happened", e);
    }
  }

  /**
   * Parks until it happens. An interrupt does not end the wait; the thread's flag is kept.
   *
   * @param timeoutNs how long at most; {@link Long#MAX_VALUE} for ever
   * @return whether it has happened
   */
  public final boolean await(long timeoutNs) {
    boolean interrupted = false;
    long deadline = deadline(timeoutNs);
    boolean waiting = register();
    while (waiting && !hasHappened()) {
      if (!park(deadline)) {
        break;
      }
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return hasHappened();
  }

  /**
   * Parks until it happens or the thread is interrupted.
   *
   * @param timeoutNs how long at most; {@link Long#MAX_VALUE} for ever
   * @return whether it has happened
   * @throws InterruptedException if the thread is interrupted first
   */
  public final boolean awaitInterruptibly(long timeoutNs) throws InterruptedException {
    long deadline = deadline(timeoutNs);
    boolean waiting = register();
    while (waiting && !hasHappened()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (!park(deadline)) {
        break;
      }
    }
    return hasHappened();
  }

  private boolean register() {
    Thread thread = Thread.currentThread();
    return whenHappens(() -> LockSupport.unpark(thread));
  }

  private static long deadline(long timeoutNs) {
    return timeoutNs == Long.MAX_VALUE ? Long.MAX_VALUE : System.nanoTime() + timeoutNs;
  }

  /** False once the time is over. */
  private boolean park(long deadline) {
    if (deadline == Long.MAX_VALUE) {
      LockSupport.park(this);
      return true;
    }
    long left = deadline - System.nanoTime();
    if (left <= 0) {
      return false;
    }
    LockSupport.parkNanos(this, left);
    return true;
  }
}
