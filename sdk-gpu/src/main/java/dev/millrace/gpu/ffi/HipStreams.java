package dev.millrace.gpu.ffi;

import java.lang.invoke.MethodHandle;

/** Streams of HIP: functions that take an {@code hipStream_t}. */
public final class HipStreams {
  private static final MethodHandle STREAM_CREATE_WITH_PRIORITY =
      Hip.LIBRARY.check(
          "make a stream",
          "hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned int flags, int priority)");
  private static final MethodHandle STREAM_DESTROY =
      Hip.LIBRARY.check("destroy a stream", "hipError_t hipStreamDestroy(hipStream_t stream)");
  private static final MethodHandle STREAM_QUERY =
      Hip.LIBRARY.plain("hipError_t hipStreamQuery(hipStream_t stream)");
  private static final MethodHandle STREAM_SYNCHRONIZE =
      Hip.LIBRARY.check(
          "synchronize a stream", "hipError_t hipStreamSynchronize(hipStream_t stream)");
  private static final MethodHandle STREAM_WAIT_EVENT =
      Hip.LIBRARY.check(
          "make a stream wait for an event",
          "hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int flags)");
  private static final MethodHandle STREAM_GET_DEVICE =
      Hip.LIBRARY.check(
          "ask for the device of a stream",
          "hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device)");
  private static final MethodHandle STREAM_GET_FLAGS =
      Hip.LIBRARY.check(
          "ask for the flags of a stream",
          "hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int* flags)");
  private static final MethodHandle STREAM_GET_PRIORITY =
      Hip.LIBRARY.check(
          "ask for the priority of a stream",
          "hipError_t hipStreamGetPriority(hipStream_t stream, int* priority)");
  private static final MethodHandle STREAM_IS_CAPTURING =
      Hip.LIBRARY.check(
          "ask whether a stream is captured",
          "hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* pCaptureStatus)");
  private static final MethodHandle STREAM_GET_CAPTURE_INFO_V2 =
      Hip.LIBRARY.check(
          "ask what a capture holds",
          "hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus* captureStatus_out, unsigned long long* id_out, hipGraph_t* graph_out, const hipGraphNode_t** dependencies_out, size_t* numDependencies_out)");
  private static final MethodHandle STREAM_BEGIN_CAPTURE =
      Hip.LIBRARY.check(
          "begin a capture",
          "hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode)");
  private static final MethodHandle STREAM_END_CAPTURE =
      Hip.LIBRARY.check(
          "end a capture",
          "hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* pGraph)");
  private static final MethodHandle LAUNCH_HOST_FUNC =
      Hip.LIBRARY.check(
          "enqueue a host function",
          "hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t fn, void* userData)");
  private static final MethodHandle EXT_STREAM_CREATE_WITH_CUMASK =
      Hip.LIBRARY.check(
          "make a stream on some compute units",
          "hipError_t hipExtStreamCreateWithCUMask(hipStream_t* stream, uint32_t cuMaskSize, const uint32_t* cuMask)");
  private static final MethodHandle EXCHANGE_CAPTURE_MODE =
      Hip.LIBRARY.check(
          "set the capture mode",
          "hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode)");
  private static final MethodHandle PRIORITY_RANGE =
      Hip.LIBRARY.check(
          "ask for the priorities",
          "hipError_t hipDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority)");

  private HipStreams() {}

  /**
   * Makes a stream of the current device.
   *
   * @param flags 0, or 1 for a non-blocking one
   * @param priority 0 is normal, lower is more urgent
   * @return the stream
   */
  public static long streamCreateWithPriority(int flags, int priority) {
    long out = Native.slot();
    try {
      STREAM_CREATE_WITH_PRIORITY.invokeExact(out, flags, priority);
      return Native.getLong(out);
    } catch (Throwable e) {
      throw Native.unexpected("hipStreamCreateWithPriority", e);
    }
  }

  /**
   * Destroys a stream; on AMD this waits for its work.
   *
   * @param stream the stream
   */
  public static void streamDestroy(long stream) {
    try {
      STREAM_DESTROY.invokeExact(stream);
    } catch (Throwable e) {
      throw Native.unexpected("hipStreamDestroy", e);
    }
  }

  /**
   * Whether all work of a stream is done.
   *
   * @param stream the stream
   * @return false while something is outstanding
   */
  public static boolean streamQuery(long stream) {
    int status;
    try {
      status = (int) STREAM_QUERY.invokeExact(stream);
    } catch (Throwable e) {
      throw Native.unexpected("hipStreamQuery", e);
    }
    return Hip.isReady(status, "query a stream stream=", stream, "hipStreamQuery");
  }

  /**
   * Waits for all work of a stream.
   *
   * @param stream the stream
   */
  public static void streamSynchronize(long stream) {
    try {
      STREAM_SYNCHRONIZE.invokeExact(stream);
    } catch (Throwable e) {
      throw Native.unexpected("hipStreamSynchronize", e);
    }
  }

  /**
   * Holds later work of a stream until an event's latest record.
   *
   * @param stream the stream
   * @param event the event
   * @param flags 0
   */
  public static void streamWaitEvent(long stream, long event, int flags) {
    try {
      STREAM_WAIT_EVENT.invokeExact(stream, event, flags);
    } catch (Throwable e) {
      throw Native.unexpected("hipStreamWaitEvent", e);
    }
  }

  /**
   * The device of a stream. Never for the null stream, nor for the legacy and per-thread values.
   *
   * @param stream the stream
   * @return its ordinal
   */
  public static int streamGetDevice(long stream) {
    long out = Native.slot();
    try {
      STREAM_GET_DEVICE.invokeExact(stream, out);
      return Native.getInt(out);
    } catch (Throwable e) {
      throw Native.unexpected("hipStreamGetDevice", e);
    }
  }

  /**
   * How a stream was made.
   *
   * @param stream the stream
   * @return 0, or 1 for a non-blocking one
   */
  public static int streamGetFlags(long stream) {
    long out = Native.slot();
    try {
      STREAM_GET_FLAGS.invokeExact(stream, out);
      return Native.getInt(out);
    } catch (Throwable e) {
      throw Native.unexpected("hipStreamGetFlags", e);
    }
  }

  /**
   * A stream's priority.
   *
   * @param stream the stream
   * @return its priority
   */
  public static int streamGetPriority(long stream) {
    long out = Native.slot();
    try {
      STREAM_GET_PRIORITY.invokeExact(stream, out);
      return Native.getInt(out);
    } catch (Throwable e) {
      throw Native.unexpected("hipStreamGetPriority", e);
    }
  }

  /**
   * Whether a stream is being captured.
   *
   * @param stream the stream
   * @return 0 no, 1 yes, 2 the capture was invalidated
   */
  public static int streamIsCapturing(long stream) {
    long out = Native.slot();
    try {
      STREAM_IS_CAPTURING.invokeExact(stream, out);
      return Native.getInt(out);
    } catch (Throwable e) {
      throw Native.unexpected("hipStreamIsCapturing", e);
    }
  }

  /**
   * The node that the next captured call of a stream will follow.
   *
   * @param stream a stream that is being captured
   * @return the node; 0 if there is none or more than one, or the capture was invalidated
   */
  public static long lastCapturedNode(long stream) {
    long slot = Native.slot();
    long dependencies = slot + Long.BYTES;
    long count = slot + 2 * Long.BYTES;
    Native.putLong(count, 0);
    try {
      STREAM_GET_CAPTURE_INFO_V2.invokeExact(stream, slot, 0L, 0L, dependencies, count);
    } catch (Throwable e) {
      throw Native.unexpected("hipStreamGetCaptureInfo_v2", e);
    }
    boolean one = Native.getInt(slot) == 1 && Native.getLong(count) == 1;
    return one ? Native.getLong(Native.getLong(dependencies)) : 0;
  }

  /**
   * Begins to capture a stream.
   *
   * @param stream the stream
   * @param mode 0 global, 1 thread-local, 2 relaxed
   */
  public static void streamBeginCapture(long stream, int mode) {
    try {
      STREAM_BEGIN_CAPTURE.invokeExact(stream, mode);
    } catch (Throwable e) {
      throw Native.unexpected("hipStreamBeginCapture", e);
    }
  }

  /**
   * Ends a capture.
   *
   * @param stream the stream
   * @return the graph
   */
  public static long streamEndCapture(long stream) {
    long out = Native.slot();
    try {
      STREAM_END_CAPTURE.invokeExact(stream, out);
      return Native.getLong(out);
    } catch (Throwable e) {
      throw Native.unexpected("hipStreamEndCapture", e);
    }
  }

  /**
   * Calls a function on a thread of the runtime, in stream order.
   *
   * @param stream the stream
   * @param fn the function
   * @param userData its argument
   */
  public static void launchHostFunc(long stream, long fn, long userData) {
    try {
      LAUNCH_HOST_FUNC.invokeExact(stream, fn, userData);
    } catch (Throwable e) {
      throw Native.unexpected("hipLaunchHostFunc", e);
    }
  }

  /**
   * Makes a stream that uses some compute units only.
   *
   * @param cuMaskSize words of the mask
   * @param cuMask the mask, a bit a compute unit
   * @return the stream
   */
  public static long extStreamCreateWithCUMask(int cuMaskSize, long cuMask) {
    long out = Native.slot();
    try {
      EXT_STREAM_CREATE_WITH_CUMASK.invokeExact(out, cuMaskSize, cuMask);
      return Native.getLong(out);
    } catch (Throwable e) {
      throw Native.unexpected("hipExtStreamCreateWithCUMask", e);
    }
  }

  /**
   * Sets how calls of this thread meet other threads' captures.
   *
   * @param mode 0 global, 1 thread-local, 2 relaxed
   * @return the mode that was set before
   */
  public static int exchangeCaptureMode(int mode) {
    long slot = Native.slot();
    Native.putInt(slot, mode);
    try {
      EXCHANGE_CAPTURE_MODE.invokeExact(slot);
    } catch (Throwable e) {
      throw Native.unexpected("hipThreadExchangeStreamCaptureMode", e);
    }
    return Native.getInt(slot);
  }

  /**
   * The range of priorities.
   *
   * @return the least and the most urgent one
   */
  public static int[] priorityRange() {
    long slot = Native.slot();
    try {
      PRIORITY_RANGE.invokeExact(slot, slot + Integer.BYTES);
    } catch (Throwable e) {
      throw Native.unexpected("hipDeviceGetStreamPriorityRange", e);
    }
    return new int[] {Native.getInt(slot), Native.getInt(slot + Integer.BYTES)};
  }
}
