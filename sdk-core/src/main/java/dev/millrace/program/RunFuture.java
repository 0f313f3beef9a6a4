package dev.millrace.program;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Completes and runs dependents on virtual threads: a dependent that blocks must not hold up the
 * thread that sees runs end.
 */
final class RunFuture extends CompletableFuture<Run> {
  private static final Executor VIRTUAL = Thread::startVirtualThread;

  void settleLater(Run run) {
    VIRTUAL.execute(() -> run.settle(this));
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new VirtualFuture<>();
  }

  @Override
  public Executor defaultExecutor() {
    return VIRTUAL;
  }

  private static final class VirtualFuture<T> extends CompletableFuture<T> {
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
      return new VirtualFuture<>();
    }

    @Override
    public Executor defaultExecutor() {
      return VIRTUAL;
    }
  }
}
