package dev.millrace.handle;

import java.util.BitSet;

/** How a new stream behaves. Immutable. */
public final class StreamOptions {
  private static final StreamOptions DEFAULTS = new StreamOptions(false, 0, new BitSet());

  private final boolean blocking;
  private final int priority;
  private final BitSet computeUnits;

  private StreamOptions(boolean blocking, int priority, BitSet computeUnits) {
    this.blocking = blocking;
    this.priority = priority;
    this.computeUnits = computeUnits;
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
    return new StreamOptions(true, priority, computeUnits);
  }

  /**
   * A stream whose work the device prefers or defers, where it can.
   *
   * @param value 0 is normal, lower is more urgent, as in HIP
   * @return a copy with that priority
   */
  public StreamOptions withPriority(int value) {
    return new StreamOptions(blocking, value, computeUnits);
  }

  /**
   * A stream whose work runs on some of the device's compute units only, and on a hardware queue of
   * its own. HIP makes such streams blocking and of priority 0.
   *
   * @param units the numbers of the compute units, from 0; none of them for all units
   * @return a copy with that restriction
   */
  public StreamOptions withComputeUnits(BitSet units) {
    return new StreamOptions(blocking, priority, (BitSet) units.clone());
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

  /**
   * The compute units that its work is restricted to.
   *
   * @return a bit a unit, as {@link BitSet#toLongArray}; empty where it is not restricted
   */
  public long[] computeUnits() {
    return computeUnits.toLongArray();
  }
}
