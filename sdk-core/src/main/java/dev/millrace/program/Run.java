package dev.millrace.program;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.millrace.error.DeviceException;
import dev.millrace.lifetime.Once;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.Tensor;
import dev.millrace.trace.Trace;
import dev.millrace.trace.TraceEvent;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One run of a program. Nothing has to be waited for to use its outputs on the same stream.
 *
 * <p>A run owns the outputs that it allocated itself: those for which its arguments had no tensor.
 * Closing it gives them back, once its work is done, and neither waits for nor cancels that work.
 * If the work fails, {@link #await()} and {@link #completion()} say so each time; so does its
 * stream, once, unless they did before. Any thread.
 */
public final class Run implements AutoCloseable {
  private static final VarHandle STATE;
  private static final Object SUCCEEDED = new Object();

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Run.class, "state", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private DeviceStream home;
  private final ProgramCore core;
  private final ArgumentSet arguments;
  private final RunMode mode;
  private final boolean ownsArguments;
  private volatile boolean closed;
  private long id;

  /** Null, a Once for whoever waits, SUCCEEDED, or the Throwable that it failed with. */
  private volatile @Nullable Object state;

  Run(ProgramCore core, DeviceStream home, RunMode mode, ArgumentSet arguments, boolean owns) {
    this.core = core;
    this.home = home;
    this.mode = mode;
    this.arguments = arguments;
    this.ownsArguments = owns;
  }

  /** Called once, before anything of it is enqueued. */
  void submittedTo(DeviceStream stream, long runId) {
    home = stream;
    id = runId;
  }

  ArgumentSet arguments() {
    return arguments;
  }

  void complete(@Nullable Throwable failure) {
    Object seen = STATE.getAndSet(this, failure == null ? SUCCEEDED : failure);
    if (seen instanceof Once waiters) {
      waiters.happen();
    }
  }

  /**
   * The id under which the trace knows this run.
   *
   * @return a number unique in the process
   */
  public long id() {
    return id;
  }

  /**
   * Where its work was enqueued.
   *
   * @return the mode
   */
  public RunMode mode() {
    return mode;
  }

  /**
   * An output. Until the run is done the tensor may be used by later work of the same stream only;
   * if its shape depends on the run, the tensor says so until then.
   *
   * @param index its place in the model's order
   * @return the tensor, owned by the arguments or by this run
   */
  public Tensor output(int index) {
    checkOpen();
    return arguments.output(index, core);
  }

  /**
   * An output, by name.
   *
   * @param name its name in the model
   * @return the tensor, owned by the arguments or by this run
   */
  public Tensor output(String name) {
    return output(ArgumentSet.outputIndex(name, core));
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("take an output of closed run=" + id + " of " + core);
    }
  }

  /**
   * Whether its work is done, successfully or not.
   *
   * @return true once nothing of it is in flight
   */
  public boolean isDone() {
    Object seen = state;
    return seen != null && !(seen instanceof Once);
  }

  /**
   * Waits until its work is done. An interrupt leaves the run in flight.
   *
   * @throws InterruptedException if the thread is interrupted first
   * @throws DeviceException if the work failed
   */
  public void await() throws InterruptedException {
    Once waiting = waiters();
    long beganNs = System.nanoTime();
    if (waiting != null) {
      waiting.awaitInterruptibly(Long.MAX_VALUE);
    }
    awaited(beganNs, TraceEvent.HostWait.BLOCKED);
  }

  /**
   * Waits until its work is done, but not for ever.
   *
   * @param timeout how long at most
   * @throws TimeoutException if it was not done in time; it is still in flight
   * @throws InterruptedException if the thread is interrupted first
   * @throws DeviceException if the work failed
   */
  public void await(Duration timeout) throws InterruptedException, TimeoutException {
    Objects.requireNonNull(timeout, "timeout");
    Once waiting = waiters();
    long beganNs = System.nanoTime();
    if (waiting != null && !waiting.awaitInterruptibly(NANOSECONDS.convert(timeout))) {
      throw new TimeoutException("await run=" + id + " of " + core + " timeout=" + timeout);
    }
    awaited(beganNs, TraceEvent.HostWait.BLOCKED);
  }

  /** As {@link #await()}, but an interrupt only leaves the thread's flag set. */
  void finish(TraceEvent.HostWait how) {
    Once waiting = waiters();
    long beganNs = System.nanoTime();
    if (waiting != null) {
      waiting.await(Long.MAX_VALUE);
    }
    awaited(beganNs, how);
  }

  /** What is there to wait for; null if it is done. */
  private @Nullable Once waiters() {
    while (true) {
      Object seen = state;
      if (seen instanceof Once waiters) {
        return waiters;
      }
      if (seen != null) {
        return null;
      }
      Once made = new Once();
      if (STATE.compareAndSet(this, null, made)) {
        return made;
      }
    }
  }

  private void awaited(long beganNs, TraceEvent.HostWait how) {
    if (Trace.isOn()) {
      Trace.emit(
          new TraceEvent.HostSynced(
              Thread.currentThread().threadId(),
              beganNs,
              System.nanoTime(),
              home.traceId(),
              0,
              0,
              how,
              id));
    }
    DeviceException failure = failure();
    if (failure != null) {
      throw failure;
    }
  }

  private @Nullable DeviceException failure() {
    if (state instanceof Throwable reason) {
      home.withdraw(reason);
      return DeviceException.of(
          "run=" + id + " program=" + core + " stream=" + home.traceId(),
          home.device().id(),
          "asynchronous work",
          reason);
    }
    return null;
  }

  /**
   * A future that is completed, on a virtual thread, when the work is done; its dependents run on
   * virtual threads too. Cancelling it or letting it time out has no effect on the run.
   *
   * @return a new future of this run
   */
  public CompletableFuture<Run> completion() {
    RunFuture future = new RunFuture();
    Once waiting = waiters();
    if (waiting == null || !waiting.whenHappens(() -> future.settleLater(this))) {
      settle(future);
    }
    return future;
  }

  void settle(CompletableFuture<Run> future) {
    DeviceException failure = failure();
    if (failure == null) {
      future.complete(this);
    } else {
      future.completeExceptionally(failure);
    }
  }

  @Override
  public void close() {
    synchronized (arguments) {
      if (closed) {
        return;
      }
      closed = true;
    }
    if (ownsArguments) {
      arguments.closeOwned();
    }
  }

  @Override
  public String toString() {
    return "run=" + id + " of " + core + " mode=" + mode;
  }
}
