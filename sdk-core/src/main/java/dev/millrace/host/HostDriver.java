package dev.millrace.host;

import dev.millrace.handle.DeviceId;
import dev.millrace.handle.StreamOptions;
import dev.millrace.spi.DeviceDriver;
import dev.millrace.spi.DeviceFeatures;
import dev.millrace.spi.HostWork;
import dev.millrace.spi.StreamState;
import dev.millrace.tensor.DeviceMemory;
import dev.millrace.tensor.MemoryKind;
import dev.millrace.tensor.Tensor;
import dev.millrace.trace.Trace;
import dev.millrace.trace.TraceEvent.Disposition;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** HIP's streams, events and memory on CPU threads. */
final class HostDriver implements DeviceDriver {
  private static final DeviceFeatures FEATURES = new DeviceFeatures(false, false, true);

  private final DeviceId id;
  private final HostMemory.Budget budget;
  private final StreamThreads threads;
  private final HandleTable<HostStream> streams = new HandleTable<>("stream");
  private final HandleTable<HostEvent> events = new HandleTable<>("event");
  private final HostStream nullStream;
  private final Set<HostStream> open = ConcurrentHashMap.newKeySet();

  /** Held while the null stream and a blocking stream look at each other's last mark. */
  private final Object legacyOrder = new Object();

  HostDriver(DeviceId id, long memoryLimit) {
    this.id = id;
    this.budget = new HostMemory.Budget(memoryLimit);
    this.threads = StreamThreads.named("millrace-" + id);
    this.nullStream = new HostStream(id, threads, true);
    open.add(nullStream);
  }

  @Override
  public DeviceId id() {
    return id;
  }

  @Override
  public DeviceFeatures features() {
    return FEATURES;
  }

  @Override
  public MemoryKind tensorKind() {
    return MemoryKind.HOST;
  }

  private HostStream stream(long handle) {
    return handle == 0 ? nullStream : streams.get(handle);
  }

  @Override
  public long createStream(StreamOptions options) {
    if (options.computeUnits().length > 0) {
      throw new UnsupportedOperationException(
          "make a stream on some compute units of device=" + id + ": it has none to choose from");
    }
    long beganNs = HostCalls.begin();
    HostStream stream = new HostStream(id, threads, options.isBlocking());
    long handle = streams.add(stream);
    open.add(stream);
    HostCalls.end("createStream", beganNs, stream.traceId());
    return handle;
  }

  @Override
  public void destroyStream(long handle) {
    long beganNs = HostCalls.begin();
    HostStream stream = streams.remove(handle);
    Mark last = stream.lastMark();
    // Until its work is done the null stream has to see it, and the device to wait for it.
    if (last == null || !last.whenHappens(() -> open.remove(stream))) {
      open.remove(stream);
    }
    HostCalls.end("destroyStream", beganNs, stream.traceId());
  }

  @Override
  public long traceId(long stream) {
    return stream(stream).traceId();
  }

  @Override
  public boolean isStreamIdle(long handle) {
    HostStream stream = stream(handle);
    return stream == nullStream
        ? open.stream().filter(HostStream::isBlocking).allMatch(HostStream::isIdle)
        : stream.isIdle();
  }

  @Override
  public boolean synchronizeStream(long handle, long timeoutNs) {
    long beganNs = HostCalls.begin();
    HostStream stream = stream(handle);
    stream.checkWaiter();
    boolean done = stream.await(lastMark(stream), timeoutNs);
    HostCalls.end("synchronizeStream", beganNs, stream.traceId());
    return done;
  }

  /** The last point of what was submitted so far; the null stream's is behind blocking streams. */
  private @Nullable Mark lastMark(HostStream stream) {
    return stream == nullStream ? inLegacyOrder(stream, stream::lastMark) : stream.lastMark();
  }

  @Override
  public List<Throwable> takeFailures(long stream) {
    return stream(stream).takeFailures();
  }

  @Override
  public long createEvent() {
    return events.add(new HostEvent());
  }

  @Override
  public void destroyEvent(long event) {
    events.remove(event);
  }

  @Override
  public void recordEvent(long eventHandle, long streamHandle) {
    long beganNs = HostCalls.begin();
    HostEvent event = events.get(eventHandle);
    HostStream stream = stream(streamHandle);
    Mark mark =
        stream.isBlocking()
            ? inLegacyOrder(stream, () -> event.record(stream))
            : event.record(stream);
    HostCalls.recorded(beganNs, mark);
  }

  @Override
  public void waitEvent(long streamHandle, long eventHandle) {
    long beganNs = HostCalls.begin();
    HostStream stream = stream(streamHandle);
    HostEvent event = events.get(eventHandle);
    Mark mark = event.latest();
    Disposition disposition = disposition(stream, mark);
    long index = -1;
    if (disposition == Disposition.ENQUEUED) {
      HostStream.Wait wait = new HostStream.Wait(Objects.requireNonNull(mark));
      index =
          stream.isBlocking()
              ? inLegacyOrder(stream, () -> stream.submit(wait))
              : stream.submit(wait);
    }
    HostCalls.waited(beganNs, stream, index, event, mark, disposition);
  }

  private static Disposition disposition(HostStream stream, @Nullable Mark mark) {
    if (mark == null) {
      return Disposition.NEVER_RECORDED;
    }
    if (mark.hasHappened()) {
      return Disposition.COMPLETE;
    }
    return mark.stream == stream ? Disposition.SAME_STREAM : Disposition.ENQUEUED;
  }

  @Override
  public boolean isEventDone(long event) {
    Mark mark = events.get(event).latest();
    return mark == null || mark.hasHappened();
  }

  @Override
  public boolean synchronizeEvent(long handle, long timeoutNs) {
    long beganNs = HostCalls.begin();
    Mark mark = events.get(handle).latest();
    if (mark != null && !mark.hasHappened()) {
      mark.stream.checkWaiter();
    }
    boolean done = mark == null || mark.stream.await(mark, timeoutNs);
    HostCalls.end("synchronizeEvent", beganNs, mark == null ? 0 : mark.stream.traceId());
    return done;
  }

  @Override
  public void whenDone(long event, Runnable action) {
    Mark mark = events.get(event).latest();
    if (mark == null || !mark.whenHappens(action)) {
      action.run();
    }
  }

  @Override
  public DeviceMemory allocate(long bytes, MemoryKind kind) {
    if (kind == MemoryKind.DEVICE) {
      throw new UnsupportedOperationException(
          "allocate kind="
              + kind
              + " device="
              + id
              + ": expected HOST or PINNED, all memory of this device");
    }
    return HostMemory.allocate(id, kind, bytes, budget);
  }

  @Override
  public void copy(long streamHandle, Tensor from, Tensor to) {
    submit("copy", streamHandle, new CopyWork(from, to, Trace.currentRun()), to.byteSize());
  }

  @Override
  public void call(long streamHandle, HostWork work) {
    submit("call", streamHandle, work, 0);
  }

  private void submit(String function, long streamHandle, HostWork work, long bytes) {
    HostStream stream = stream(streamHandle);
    long beganNs = HostCalls.begin();
    long correlation = beganNs == 0 ? 0 : Trace.nextId();
    if (stream.isBlocking()) {
      inLegacyOrder(stream, () -> stream.submit(work, correlation));
    } else {
      stream.submit(work, correlation);
    }
    if (beganNs != 0) {
      HostCalls.submitted(function, beganNs, correlation, stream.traceId(), bytes, work.runId());
    }
  }

  @Override
  public boolean tryClaim(long handle) {
    HostStream stream = stream(handle);
    // The null stream may have a say in a blocking one; native code would hold a carrier.
    return !stream.isBlocking() && !Thread.currentThread().isVirtual() && stream.tryClaim();
  }

  @Override
  public void runClaimed(long stream) {
    stream(stream).runClaimed();
  }

  /** Puts what the null stream and blocking streams owe each other before a submission. */
  private <T> T inLegacyOrder(HostStream stream, Supplier<T> submission) {
    synchronized (legacyOrder) {
      if (stream == nullStream) {
        open.stream().filter(HostStream::isBlocking).forEach(other -> follow(stream, other));
      } else {
        follow(stream, nullStream);
      }
      return submission.get();
    }
  }

  private static void follow(HostStream stream, HostStream earlier) {
    Mark last = stream == earlier ? null : earlier.lastMark();
    if (last != null) {
      stream.submit(new HostStream.Wait(last));
    }
  }

  @Override
  public List<StreamState> describe() {
    return open.stream().map(HostStream::describe).filter(Objects::nonNull).toList();
  }

  @Override
  public void synchronize() {
    open.forEach(HostStream::checkWaiter);
    for (HostStream stream : open) {
      stream.await(stream.lastMark(), Long.MAX_VALUE);
    }
  }

  @Override
  public void close() {
    synchronize();
    threads.close();
  }
}
