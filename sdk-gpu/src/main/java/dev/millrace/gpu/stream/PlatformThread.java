package dev.millrace.gpu.stream;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Runs on a platform thread what may take long in native code, or what has to stay on one OS
 * thread; a virtual thread only waits for it.
 */
public final class PlatformThread {
  private PlatformThread() {}

  /**
   * Runs something on a platform thread: the calling one if it is one.
   *
   * @param name of a thread that has to be made
   * @param work what to run
   * @param <T> what it gives
   * @return what it gave
   */
  public static <T> T call(String name, Supplier<T> work) {
    if (!Thread.currentThread().isVirtual()) {
      return work.get();
    }
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread.ofPlatform().daemon().name(name).start(() -> complete(result, work));
    try {
      return result.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error failure) {
        throw failure;
      }
      throw e;
    }
  }

  private static <T> void complete(CompletableFuture<T> result, Supplier<T> work) {
    try {
      result.complete(work.get());
    } catch (RuntimeException | Error e) {
      result.completeExceptionally(e);
    }
  }
}
