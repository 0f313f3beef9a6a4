package dev.millrace.conformance;

/**
 * A call of a driver.
 *
 * @param number its place among all calls that the log holds, from 1
 * @param function the driver's method
 * @param stream the stream that it was given, 0 for the null stream, {@link #NONE} for none
 * @param event the event that it was given, {@link #NONE} for none
 * @param thread who called
 */
public record DriverCall(int number, String function, long stream, long event, Thread thread) {
  /** In place of a stream or an event that the function does not take. */
  public static final long NONE = -1;

  /**
   * Whether it is a call of one function on one stream.
   *
   * @param name the function
   * @param address the stream
   * @return true if both are as given
   */
  public boolean is(String name, long address) {
    return function.equals(name) && stream == address;
  }

  @Override
  public String toString() {
    return function
        + (stream == NONE ? "" : " stream=" + Long.toHexString(stream))
        + (event == NONE ? "" : " event=" + Long.toHexString(event))
        + " on "
        + thread.getName();
  }
}
