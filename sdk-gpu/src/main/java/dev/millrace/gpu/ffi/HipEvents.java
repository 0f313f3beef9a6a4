package dev.millrace.gpu.ffi;

import java.lang.invoke.MethodHandle;

/** Events of HIP. */
public final class HipEvents {
  private static final MethodHandle EVENT_CREATE_WITH_FLAGS =
      Hip.LIBRARY.check(
          "make an event", "hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags)");
  private static final MethodHandle EVENT_DESTROY =
      Hip.LIBRARY.check("destroy an event", "hipError_t hipEventDestroy(hipEvent_t event)");
  private static final MethodHandle EVENT_RECORD =
      Hip.LIBRARY.check(
          "record an event", "hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream)");
  private static final MethodHandle EVENT_QUERY =
      Hip.LIBRARY.plain("hipError_t hipEventQuery(hipEvent_t event)");
  private static final MethodHandle EVENT_SYNCHRONIZE =
      Hip.LIBRARY.check("wait for an event", "hipError_t hipEventSynchronize(hipEvent_t event)");
  private static final MethodHandle ELAPSED_TIME =
      Hip.LIBRARY.check(
          "ask for the time between events",
          "hipError_t hipEventElapsedTime(float* ms, hipEvent_t start, hipEvent_t stop)");

  private HipEvents() {}

  /**
   * Makes an event of the current device.
   *
   * @param flags bits of {@code hipEvent*}
   * @return the event
   */
  public static long eventCreateWithFlags(int flags) {
    long out = Native.slot();
    try {
      EVENT_CREATE_WITH_FLAGS.invokeExact(out, flags);
      return Native.getLong(out);
    } catch (Throwable e) {
      throw Native.unexpected("hipEventCreateWithFlags", e);
    }
  }

  /**
   * Destroys an event.
   *
   * @param event the event
   */
  public static void eventDestroy(long event) {
    try {
      EVENT_DESTROY.invokeExact(event);
    } catch (Throwable e) {
      throw Native.unexpected("hipEventDestroy", e);
    }
  }

  /**
   * Makes an event stand for the point that a stream has been told to reach.
   *
   * @param event the event
   * @param stream the stream
   */
  public static void eventRecord(long event, long stream) {
    try {
      EVENT_RECORD.invokeExact(event, stream);
    } catch (Throwable e) {
      throw Native.unexpected("hipEventRecord", e);
    }
  }

  /**
   * Whether an event's latest record is done.
   *
   * @param event the event
   * @return false while it is not
   */
  public static boolean eventQuery(long event) {
    int status;
    try {
      status = (int) EVENT_QUERY.invokeExact(event);
    } catch (Throwable e) {
      throw Native.unexpected("hipEventQuery", e);
    }
    return Hip.isReady(status, "query an event event=", event, "hipEventQuery");
  }

  /**
   * Waits for an event's latest record. HIP holds the event's lock meanwhile.
   *
   * @param event the event
   */
  public static void eventSynchronize(long event) {
    try {
      EVENT_SYNCHRONIZE.invokeExact(event);
    } catch (Throwable e) {
      throw Native.unexpected("hipEventSynchronize", e);
    }
  }

  /** Records no times, so that a record costs least. */
  public static final int DISABLE_TIMING = 2;

  /** Flushes caches only as far as the device; the host must not look at what it orders. */
  public static final int RELEASE_TO_DEVICE = 0x40000000;

  /**
   * The time between two records.
   *
   * @param start the earlier event
   * @param stop the later event
   * @return milliseconds
   */
  public static float elapsedTime(long start, long stop) {
    long out = Native.slot();
    try {
      ELAPSED_TIME.invokeExact(out, start, stop);
    } catch (Throwable e) {
      throw Native.unexpected("hipEventElapsedTime", e);
    }
    return Float.intBitsToFloat(Native.getInt(out));
  }
}
