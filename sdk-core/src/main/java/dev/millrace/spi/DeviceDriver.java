package dev.millrace.spi;

import dev.millrace.handle.DeviceId;
import dev.millrace.handle.StreamOptions;
import dev.millrace.tensor.DeviceMemory;
import dev.millrace.tensor.MemoryKind;
import dev.millrace.tensor.Tensor;
import java.util.List;

/**
 * Streams, events, memory and copies of one open device, with HIP's rules: work of a stream runs in
 * order; an event holds its latest record; a wait takes the record that is the latest at the time
 * of the call; waiting for an event that was never recorded is free. Streams and events are plain
 * numbers, as in the C API; address 0 is the device's null stream. Callers keep what they pass
 * alive. Any thread.
 *
 * <p>Every method but {@code close} and the {@code synchronize} ones returns without waiting for
 * the device. Failures are {@link dev.millrace.error.DeviceException}.
 */
public interface DeviceDriver extends AutoCloseable {

  /**
   * The device.
   *
   * @return its id
   */
  DeviceId id();

  /**
   * What it can do.
   *
   * @return its features
   */
  DeviceFeatures features();

  /**
   * Makes this device the one that the calling thread's native calls go to. Nothing between this
   * and {@link #restoreCurrent} may move the caller to another thread of the operating system.
   *
   * @return what {@link #restoreCurrent} needs
   */
  default int makeCurrent() {
    return 0;
  }

  /**
   * Puts back which device the calling thread's native calls go to.
   *
   * @param former what {@link #makeCurrent} gave
   */
  default void restoreCurrent(int former) {}

  /**
   * Makes a stream.
   *
   * @param options how it behaves
   * @return its address, never 0
   */
  long createStream(StreamOptions options);

  /**
   * Takes a stream of another library over, to be used but never destroyed. Each adoption is ended
   * by one {@link #releaseStream}.
   *
   * @param stream its address
   * @return the address that stands for it here; 0 where it is another name of the null stream
   * @throws UnsupportedOperationException if this device has no streams of other libraries
   * @throws IllegalArgumentException if it is no stream of this device
   */
  default long adoptStream(long stream) {
    throw new UnsupportedOperationException(
        "adopt stream=0x" + Long.toHexString(stream) + ": device=" + id() + " shares no streams");
  }

  /**
   * Ends the adoption of a stream, which its owner may destroy from then on. What waited for it has
   * been done; an event whose latest record is on it counts as done.
   *
   * @param stream what {@link #adoptStream} gave
   */
  default void releaseStream(long stream) {
    // Nothing to forget where there is nothing to adopt.
  }

  /**
   * Takes memory of another library over, to be used but never freed.
   *
   * @param address its first byte
   * @param bytes its size
   * @param owner kept reachable until the memory is released
   * @return memory held once, by the caller
   * @throws UnsupportedOperationException if this device takes none
   */
  default DeviceMemory adoptMemory(long address, long bytes, Object owner) {
    throw new UnsupportedOperationException(
        "adopt memory=0x"
            + Long.toHexString(address)
            + ": device="
            + id()
            + " takes memory of the host as a segment, by Tensor.wrap");
  }

  /**
   * Gives a stream back. Work that was submitted to it still completes.
   *
   * @param stream a stream of {@link #createStream}
   */
  void destroyStream(long stream);

  /**
   * The id under which the trace knows a stream.
   *
   * @param stream a live stream, or 0
   * @return the id, unique in the process
   */
  default long traceId(long stream) {
    return stream;
  }

  /**
   * Whether all work that was submitted to a stream is done.
   *
   * @param stream a live stream, or 0
   * @return true if nothing is outstanding
   */
  boolean isStreamIdle(long stream);

  /**
   * Waits until all work that was submitted to a stream before the call is done. An interrupt does
   * not end the wait; the thread's flag is kept.
   *
   * @param stream a live stream, or 0
   * @param timeoutNs how long to wait at most, in nanoseconds; {@link Long#MAX_VALUE} for ever
   * @return false if the time ran out first
   */
  boolean synchronizeStream(long stream, long timeoutNs);

  /**
   * Whether work that is submitted to a stream is being captured, to be replayed later, and not
   * done now.
   *
   * @param stream a live stream, or 0
   * @return true also where the capture has failed already and was not ended yet
   */
  default boolean isCapturing(long stream) {
    return false;
  }

  /**
   * Takes what went wrong on a stream since the last call, so that it is reported once.
   *
   * @param stream a live stream, or 0
   * @return the failures of host functions and copies, oldest first; usually empty
   */
  List<Throwable> takeFailures(long stream);

  /**
   * Makes an event that has never been recorded.
   *
   * @return its address, never 0
   */
  long createEvent();

  /**
   * Makes an event that only orders streams of this device: nobody on the host asks for it or waits
   * for it. Where that is cheaper to record, it is.
   *
   * @return its address, never 0
   */
  default long createJoinEvent() {
    return createEvent();
  }

  /**
   * Gives an event back; waits that took a record of it are still held by that record.
   *
   * @param event an event of {@link #createEvent}
   */
  void destroyEvent(long event);

  /**
   * Makes the point that a stream has been told to reach the event's latest record.
   *
   * @param event a live event
   * @param stream a live stream, or 0
   */
  void recordEvent(long event, long stream);

  /**
   * Holds later work of a stream until the event's record that is now the latest is done.
   *
   * @param stream a live stream, or 0
   * @param event a live event
   */
  void waitEvent(long stream, long event);

  /**
   * Whether the event's latest record is done.
   *
   * @param event a live event
   * @return true also for one that was never recorded
   */
  boolean isEventDone(long event);

  /**
   * Waits for the event's latest record. An interrupt does not end the wait; the flag is kept.
   *
   * @param event a live event
   * @param timeoutNs how long to wait at most, in nanoseconds; {@link Long#MAX_VALUE} for ever
   * @return false if the time ran out first
   */
  boolean synchronizeEvent(long event, long timeoutNs);

  /**
   * Runs an action once the event's latest record is done: at once if that is known, else on a
   * thread of the driver. Whoever records the event again while an action waits may get the action
   * run only after that record too. The action is short and throws nothing. If it is an {@link
   * InFlightRun} and the device was lost, that is told to it first.
   *
   * @param event a live event
   * @param action what to run
   */
  void whenDone(long event, Runnable action);

  /**
   * Allocates memory; its content is undefined.
   *
   * @param bytes its size, 0 or more
   * @param kind which memory
   * @return memory held once, by the caller
   * @throws dev.millrace.error.DeviceException if there is not enough, with the sizes
   */
  DeviceMemory allocate(long bytes, MemoryKind kind);

  /**
   * The kind of memory in which this device's programs want their tensors.
   *
   * @return the kind
   */
  MemoryKind tensorKind();

  /**
   * Copies a tensor in stream order. The sizes are compared when the copy runs, since a tensor's
   * shape may be known only then; the callers hold both memories until it is done.
   *
   * @param stream a live stream, or 0
   * @param from the source
   * @param to the destination, of the same size and type
   */
  void copy(long stream, Tensor from, Tensor to);

  /**
   * Runs host work in stream order. The stream stands still until it returns.
   *
   * @param stream a live stream, or 0
   * @param work what to run
   */
  void call(long stream, HostWork work);

  /**
   * Makes the calling thread the one that runs an idle stream's host work, so that no other has to
   * be woken for a run that is waited for anyway. What is submitted meanwhile waits for {@link
   * #runClaimed}.
   *
   * @param stream a live stream, or 0
   * @return false if nothing was claimed: the stream is not idle, or this device or thread cannot
   */
  default boolean tryClaim(long stream) {
    return false;
  }

  /**
   * Runs what was submitted to a claimed stream on the claiming thread, and ends the claim.
   *
   * @param stream a stream that {@link #tryClaim} gave to this thread
   */
  default void runClaimed(long stream) {
    throw new IllegalStateException("run unclaimed stream=" + stream);
  }

  /**
   * Says, for each stream with outstanding work, what it waits for or is doing.
   *
   * @return a line a stream
   */
  List<StreamState> describe();

  /**
   * Waits until all work is done that was submitted before the call, on any stream and also on
   * those that were given back, and until the actions of {@link #whenDone} that wait for it have
   * run. An interrupt does not end the wait; the thread's flag is kept.
   */
  void synchronize();

  /** Waits until all work is done, then gives everything back. */
  @Override
  void close();
}
