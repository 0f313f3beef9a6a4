package dev.millrace.gpu.captured;

/**
 * The work of a captured program. It enqueues on the scope's stream, and is called twice a lane: to
 * warm up, when the work is really done, with inputs of zeros, and to be captured. Both times it
 * does the same.
 *
 * <p>While it is captured it must not wait for the device, allocate or free device memory, load
 * code, or use the null stream: each of these would invalidate the capture.
 */
@FunctionalInterface
public interface CaptureBody {

  /**
   * Enqueues the work.
   *
   * @param scope the stream, the tensors and more; not to be used once this has returned
   */
  void enqueue(CaptureScope scope);
}
