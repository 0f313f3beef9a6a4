package dev.millrace.handle;

/** How a new stream behaves. Immutable. */
public final class StreamOptions {
  private static final StreamOptions DEFAULTS = new StreamOptions(false, 0);

  private final boolean blocking;
  private final int priority;

  private StreamOptions(boolean blocking, int priority) {
    this.blocking = blocking;
    this.priority = priority;
  }

  /**
   * A non-blocking stream of normal priority.
   *
   * @return the defaults
   */
  public static StreamOptions defaults() {
    return DEFAULTS;
  }

  /**
   * A stream that the device's null stream orders with: work on the null stream waits for all
   * earlier work of blocking streams, and theirs for earlier work of the null stream.
   *
   * @return a copy with that rule
   */
  public StreamOptions withBlocking() {
    return new StreamOptions(true, priority);
  }

  /**
   * A stream whose work the device prefers or defers, where it can.
   *
   * @param value 0 is normal, lower is more urgent, as in HIP
   * @return a copy with that priority
   */
  public StreamOptions withPriority(int value) {
    return new StreamOptions(blocking, value);
  }

  /**
   * Whether the null stream orders with it.
   *
   * @return true for a blocking stream
   */
  public boolean isBlocking() {
    return blocking;
  }

  /**
   * Its urgency.
   *
   * @return 0 is normal, lower is more urgent
   */
  public int priority() {
    return priority;
  }
}
