package dev.millrace.gpu.stream;

import dev.millrace.tensor.Tensor;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps captures and what would invalidate them apart, in the whole process: HIP lets some calls of
 * any thread, on any device, invalidate every open capture, and loading and freeing make such
 * calls. So one capture of ours is open at a time, and who loads or frees takes turns with it.
 */
public final class CaptureGate {
  private static final ReentrantLock GATE = new ReentrantLock(true);
  private static final ConcurrentHashMap<Long, Keeper> OPEN = new ConcurrentHashMap<>();

  private CaptureGate() {}

  /** Told of the calls that are captured; it keeps what they use for as long as the graph lives. */
  public interface Keeper {

    /**
     * Keeps one more thing.
     *
     * @param used what a captured call uses; run when the graph is gone
     */
    void keep(Runnable used);

    /**
     * A kernel was launched, and its launch captured.
     *
     * @param name the kernel, for messages
     * @param launch the launch
     */
    void launched(String name, CapturedLaunch launch);

    /**
     * A library will use this memory, in calls whose parameters nobody can change later.
     *
     * @param user the call, for the message
     * @param tensor what it uses
     * @throws IllegalArgumentException if the memory is to be replaced in later runs
     */
    void requireFixed(String user, Tensor tensor);
  }

  /**
   * Waits for its turn, then loads or frees.
   *
   * @param act what is done, for the message
   * @param work what loads or frees
   * @throws IllegalStateException in the body of a capture, which would wait for itself
   */
  public static void loadOrFree(String act, Runnable work) {
    if (GATE.isHeldByCurrentThread()) {
      throw new IllegalStateException(
          act + " while this thread captures: it would invalidate the capture; do it before");
    }
    GATE.lock();
    try {
      work.run();
    } finally {
      GATE.unlock();
    }
  }

  /**
   * Refuses what would wait for the end of the calling thread's own capture.
   *
   * @param act what is about to happen, for the message
   * @throws IllegalStateException in the body of a capture
   */
  public static void refuseInCapture(String act) {
    if (GATE.isHeldByCurrentThread()) {
      throw new IllegalStateException(act + " while this thread captures: end the capture before");
    }
  }

  /**
   * Begins a capture's turn, on the thread that captures: a platform thread.
   *
   * @throws IllegalStateException in the body of another capture
   */
  public static void beginCapture() {
    if (GATE.isHeldByCurrentThread()) {
      throw new IllegalStateException("begin a capture in the body of another capture");
    }
    GATE.lock();
  }

  /** Ends a capture's turn. */
  public static void endCapture() {
    GATE.unlock();
  }

  /**
   * Says that a stream is being captured from now on.
   *
   * @param stream its address
   * @param keeper keeps what the captured calls use
   */
  public static void opened(long stream, Keeper keeper) {
    OPEN.put(stream, keeper);
  }

  /**
   * Says that a stream is no longer being captured.
   *
   * @param stream its address
   */
  public static void closed(long stream) {
    OPEN.remove(stream);
  }

  /**
   * Who keeps what is enqueued on a stream.
   *
   * @param stream its address
   * @return the keeper of our capture of it, or null
   */
  public static @Nullable Keeper keeperOf(long stream) {
    return OPEN.isEmpty() ? null : OPEN.get(stream);
  }
}
