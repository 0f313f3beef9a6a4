package dev.millrace.gpu.stream;

import dev.millrace.error.DeviceException;
import dev.millrace.gpu.ffi.HipEvents;
import dev.millrace.gpu.ffi.HipStreams;
import dev.millrace.handle.DeviceId;
import dev.millrace.handle.StreamOptions;
import dev.millrace.lifetime.Once;
import dev.millrace.spi.DeviceDriver;
import dev.millrace.spi.DeviceFeatures;
import dev.millrace.spi.HostWork;
import dev.millrace.spi.InFlightRun;
import dev.millrace.spi.StreamState;
import dev.millrace.tensor.DeviceMemory;
import dev.millrace.tensor.MemoryKind;
import dev.millrace.tensor.Tensor;
import dev.millrace.trace.Trace;
import dev.millrace.trace.TraceEvent.Disposition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One GPU, through HIP. Streams and events are HIP's own, by address. Each entry makes the device
 * the calling thread's current one and puts the former one back; what would block or unmount the
 * thread comes before or after that.
 */
final class GpuDriver implements DeviceDriver {
  private static final System.Logger LOG = System.getLogger("dev.millrace.gpu");
  private static final DeviceFeatures FEATURES = new DeviceFeatures(true, true, false);

  private final DeviceId id;
  private final int ordinal;
  private final DeviceLoss loss;
  private final GpuStreams streams;
  private final AddressTable<GpuEvent> events = new AddressTable<>();
  private final EventPool eventPool;
  private final EventPool joinPool;
  private final CompletionThread completion;
  private final Housekeeping housekeeping;
  private final HostTransfer transfer;
  private final GpuAllocator allocator;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Thread atExit;

  private GpuDriver(int ordinal) {
    this.ordinal = ordinal;
    this.id = new DeviceId(GpuProvider.KIND, ordinal);
    this.loss = new DeviceLoss(id);
    this.streams = new GpuStreams(id, this::destroyLater);
    this.eventPool = new EventPool(ordinal, HipEvents.DISABLE_TIMING, events, streams::letGo);
    this.joinPool =
        new EventPool(
            ordinal,
            HipEvents.DISABLE_TIMING | HipEvents.RELEASE_TO_DEVICE,
            events,
            streams::letGo);
    this.completion = new CompletionThread(ordinal, loss);
    this.housekeeping = new Housekeeping(ordinal);
    this.transfer =
        new HostTransfer(ordinal, eventPool, event -> await(event, Long.MAX_VALUE), loss);
    this.allocator =
        new GpuAllocator(
            id,
            housekeeping,
            transfer,
            onDevice("open", () -> new Opened(StreamOrderedPool.open(ordinal))).pool);
    this.atExit = Thread.ofPlatform().unstarted(this::stopThreads);
    loss.onLoss(completion::wake);
  }

  private record Opened(@Nullable StreamOrderedPool pool) {}

  static GpuDriver open(int ordinal) {
    GpuDriver driver = new GpuDriver(ordinal);
    driver.completion.start();
    driver.housekeeping.start();
    Runtime.getRuntime().addShutdownHook(driver.atExit);
    return driver;
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
    return MemoryKind.DEVICE;
  }

  @Override
  public int makeCurrent() {
    return CurrentDevice.enter(ordinal);
  }

  @Override
  public void restoreCurrent(int former) {
    CurrentDevice.leave(former, ordinal);
  }

  @Override
  public boolean isCapturing(long handle) {
    return streams.get(handle).isCapturing();
  }

  /** Makes calls of HIP; an error after which the device is lost is noted. */
  private <T> T onDevice(String act, Supplier<T> calls) {
    check(act);
    int former = CurrentDevice.enter(ordinal);
    try {
      return calls.get();
    } catch (DeviceException e) {
      throw loss.seen(e);
    } finally {
      CurrentDevice.leave(former, ordinal);
    }
  }

  private void check(String act) {
    loss.check(act);
    GpuStream here = HostFunctions.here();
    if (here != null) {
      throw new IllegalStateException(
          act + " in a host function of " + here + ": HIP allows no calls there");
    }
  }

  private GpuEvent event(long handle) {
    GpuEvent event = events.get(handle);
    if (event == null || !event.isLive()) {
      throw new IllegalStateException(
          "use event=0x" + Long.toHexString(handle) + ": it was closed or never made");
    }
    return event;
  }

  @Override
  public long createStream(StreamOptions options) {
    long beganNs = GpuCalls.begin();
    GpuStream made = onDevice("make a stream", () -> streams.create(options));
    GpuCalls.end("hipStreamCreateWithPriority", beganNs, made.traceId);
    return made.address;
  }

  @Override
  public long adoptStream(long stream) {
    return onDevice("adopt a stream", () -> streams.adopt(stream));
  }

  /** Events that were recorded on it count as done from now on: HIP must not be asked for them. */
  @Override
  public void releaseStream(long handle) {
    GpuStream released = streams.release(handle);
    if (released != null) {
      streams.letGo(released);
    }
  }

  @Override
  public void destroyStream(long handle) {
    long beganNs = GpuCalls.begin();
    GpuStream stream = streams.remove(handle);
    if (HostFunctions.here() == null) {
      letGoWhenDone(stream);
    } else {
      housekeeping.later("close " + stream, () -> letGoWhenDone(stream));
    }
    GpuCalls.end("hipStreamDestroy", beganNs, stream.traceId);
  }

  /** Destroying it natively would wait for its work, here or in the way of other streams'. */
  private void letGoWhenDone(GpuStream stream) {
    GpuEvent last = null;
    try {
      last = eventPool.take();
      record(last, stream);
      completion.add(last, () -> streams.letGo(stream));
    } catch (DeviceException e) {
      if (!loss.isLost()) {
        LOG.log(System.Logger.Level.WARNING, "close " + stream, e);
      }
      streams.letGo(stream);
    } finally {
      if (last != null) {
        giveBack(last);
      }
    }
  }

  private void destroyLater(GpuStream stream) {
    housekeeping.later(
        "destroy " + stream,
        () -> {
          try {
            if (!loss.isLost()) {
              destroy(stream);
            }
          } finally {
            streams.gone(stream);
          }
        });
  }

  private static void destroy(GpuStream stream) {
    if (stream.owned) {
      HipStreams.streamDestroy(stream.address);
    }
    stream.freeBuffers();
  }

  @Override
  public long traceId(long stream) {
    return streams.get(stream).traceId;
  }

  @Override
  public boolean isStreamIdle(long handle) {
    GpuStream stream = streams.get(handle);
    return onDevice("query " + stream, () -> streams.isIdle(stream));
  }

  @Override
  public boolean synchronizeStream(long handle, long timeoutNs) {
    long beganNs = GpuCalls.begin();
    GpuStream stream = streams.get(handle);
    checkWaiter(stream);
    boolean done = await(stream, timeoutNs);
    GpuCalls.end("hipStreamSynchronize", beganNs, stream.traceId);
    return done;
  }

  private static void checkWaiter(GpuStream stream) {
    if (stream.isPerformedHere()) {
      throw new IllegalStateException(
          "synchronize "
              + stream
              + " from a host function of that stream: it would wait for itself");
    }
  }

  private boolean await(GpuStream stream, long timeoutNs) {
    if (mayBlock(timeoutNs)) {
      onDevice(
          "synchronize " + stream,
          () -> {
            HipStreams.streamSynchronize(stream.address);
            return true;
          });
      return true;
    }
    if (onDevice("synchronize " + stream, () -> streams.isIdle(stream))) {
      return true;
    }
    GpuEvent last = eventPool.take();
    try {
      record(last, stream);
      return park(last, timeoutNs);
    } finally {
      giveBack(last);
    }
  }

  /** HIP has no time-outs, and a virtual thread in native code keeps its carrier from others. */
  private static boolean mayBlock(long timeoutNs) {
    return timeoutNs == Long.MAX_VALUE && !Thread.currentThread().isVirtual();
  }

  private boolean park(GpuEvent event, long timeoutNs) {
    Once reached = new Once();
    completion.add(event, reached::happen);
    boolean done = reached.await(timeoutNs);
    loss.check("wait");
    return done;
  }

  @Override
  public List<Throwable> takeFailures(long handle) {
    GpuStream stream = streams.get(handle);
    return loss.isLost() ? lostToo(stream) : stream.takeFailures();
  }

  /**
   * So that whoever is about to submit something to a lost device is told, and waits for nobody.
   */
  private List<Throwable> lostToo(GpuStream stream) {
    List<Throwable> all = new ArrayList<>(stream.takeFailures());
    all.add(Objects.requireNonNull(loss.cause()));
    return all;
  }

  @Override
  public long createEvent() {
    check("make an event");
    return made(eventPool);
  }

  @Override
  public long createJoinEvent() {
    check("make an event");
    return made(joinPool);
  }

  private long made(EventPool pool) {
    try {
      return pool.take().address;
    } catch (DeviceException e) {
      throw loss.seen(e);
    }
  }

  @Override
  public void destroyEvent(long handle) {
    giveBack(event(handle));
  }

  private static void giveBack(GpuEvent event) {
    if (event.end()) {
      event.pool.takeBack(event);
    }
  }

  @Override
  public void recordEvent(long eventHandle, long streamHandle) {
    long beganNs = GpuCalls.begin();
    GpuEvent event = event(eventHandle);
    GpuStream stream = streams.get(streamHandle);
    check("record an event");
    record(event, stream);
    GpuCalls.recorded(beganNs, event, stream);
  }

  /** The event's lock comes before the device: waiting for it may move a virtual thread. */
  private void record(GpuEvent event, GpuStream stream) {
    loss.check("record an event");
    synchronized (event) {
      int former = CurrentDevice.enter(ordinal);
      try {
        event.record(stream, Trace.isOn() ? stream.nextIndex() : 0);
      } catch (DeviceException e) {
        throw loss.seen(e);
      } finally {
        CurrentDevice.leave(former, ordinal);
      }
    }
  }

  @Override
  public void waitEvent(long streamHandle, long eventHandle) {
    long beganNs = GpuCalls.begin();
    GpuStream stream = streams.get(streamHandle);
    GpuEvent event = event(eventHandle);
    check("wait for an event");
    GpuStream source = event.stream();
    int generation = event.generation();
    Disposition disposition = disposition(stream, event, source);
    if (disposition == Disposition.ENQUEUED && source != null) {
      enqueueWait(stream, event);
      stream.waitsFor(event, generation, source);
    }
    GpuCalls.waited(beganNs, stream, event, generation, source, disposition);
  }

  /** HIP would find out the same, by more expensive means. */
  private static Disposition disposition(
      GpuStream stream, GpuEvent event, @Nullable GpuStream source) {
    if (source == null) {
      return Disposition.NEVER_RECORDED;
    }
    if (source == stream) {
      return Disposition.SAME_STREAM;
    }
    return event.isKnownDone() ? Disposition.COMPLETE : Disposition.ENQUEUED;
  }

  private void enqueueWait(GpuStream stream, GpuEvent event) {
    int former = CurrentDevice.enter(ordinal);
    try {
      HipStreams.streamWaitEvent(stream.address, event.address, 0);
    } catch (DeviceException e) {
      throw loss.seen(e);
    } finally {
      CurrentDevice.leave(former, ordinal);
    }
  }

  @Override
  public boolean isEventDone(long handle) {
    GpuEvent event = event(handle);
    return event.isKnownDone() || onDevice("query an event", event::query);
  }

  @Override
  public boolean synchronizeEvent(long handle, long timeoutNs) {
    long beganNs = GpuCalls.begin();
    GpuEvent event = event(handle);
    boolean done = await(event, timeoutNs);
    GpuStream stream = event.stream();
    GpuCalls.end("hipEventSynchronize", beganNs, stream == null ? 0 : stream.traceId);
    return done;
  }

  private boolean await(GpuEvent event, long timeoutNs) {
    GpuStream source = event.stream();
    if (source == null || event.isKnownDone()) {
      return true;
    }
    checkWaiter(source);
    if (mayBlock(timeoutNs)) {
      block(event, source);
      return true;
    }
    return onDevice("query an event", event::query) || park(event, timeoutNs);
  }

  /** HIP follows the event to its stream, which is kept meanwhile. */
  private void block(GpuEvent event, GpuStream source) {
    if (!source.holds.retain()) {
      return;
    }
    int generation = event.generation();
    event.synchronizing(1);
    try {
      onDevice(
          "wait for an event",
          () -> {
            HipEvents.eventSynchronize(event.address);
            return true;
          });
      event.seenDone(generation);
    } finally {
      event.synchronizing(-1);
      streams.letGo(source);
      completion.wake();
    }
  }

  @Override
  public void whenDone(long handle, Runnable action) {
    GpuEvent event = event(handle);
    DeviceException lost = loss.cause();
    if (lost != null && action instanceof InFlightRun run) {
      run.fail(lost);
    }
    if (lost != null || event.stream() == null || event.isKnownDone()) {
      action.run();
    } else {
      completion.add(event, action);
    }
  }

  @Override
  public DeviceMemory allocate(long bytes, MemoryKind kind) {
    check("allocate " + kind + " bytes=" + bytes);
    try {
      return allocator.allocate(bytes, kind);
    } catch (DeviceException e) {
      throw loss.seen(e);
    }
  }

  @Override
  public DeviceMemory adoptMemory(long address, long bytes, Object owner) {
    return onDevice("adopt memory", () -> ForeignMemory.adopt(id, address, bytes, transfer, owner));
  }

  @Override
  public void copy(long streamHandle, Tensor from, Tensor to) {
    GpuStream stream = streams.get(streamHandle);
    StreamCopy copy = StreamCopy.of(stream, from, to);
    long beganNs = GpuCalls.begin();
    long correlation = beganNs == 0 ? 0 : Trace.nextId();
    synchronized (stream) { // before the device is set: waiting may move a virtual thread
      onDevice(
          "copy on " + stream,
          () -> {
            copy.enqueue(correlation);
            return true;
          });
    }
    GpuCalls.submitted(
        "hipMemcpyAsync", beganNs, correlation, stream, copy.bytes(), Trace.currentRun());
  }

  @Override
  public void call(long streamHandle, HostWork work) {
    GpuStream stream = streams.get(streamHandle);
    long beganNs = GpuCalls.begin();
    long correlation = beganNs == 0 ? 0 : Trace.nextId();
    onDevice(
        "call a function on " + stream,
        () -> {
          HostFunctions.launch(stream, work, correlation);
          return true;
        });
    GpuCalls.submitted("hipLaunchHostFunc", beganNs, correlation, stream, 0, work.runId());
  }

  @Override
  public List<StreamState> describe() {
    if (loss.isLost() || HostFunctions.here() != null) {
      return List.of();
    }
    return onDevice("describe", this::states);
  }

  private List<StreamState> states() {
    List<StreamState> states = new ArrayList<>();
    for (GpuStream stream : streams.open()) {
      StreamState state = StreamStates.of(stream, streams);
      if (state != null) {
        states.add(state);
      }
    }
    return states;
  }

  @Override
  public void synchronize() {
    streams.open().forEach(GpuDriver::checkWaiter);
    CaptureGate.refuseInCapture("synchronize device=" + id);
    for (GpuStream stream : streams.open()) {
      awaitIfOpen(stream);
    }
    completion.flush();
  }

  /** One that was given back is waited for by the completion thread. */
  private void awaitIfOpen(GpuStream stream) {
    if (!stream.holds.retain()) {
      return;
    }
    try {
      if (!onDevice("synchronize " + stream, stream::isCapturing)) {
        await(stream, Long.MAX_VALUE);
      }
    } finally {
      streams.letGo(stream);
    }
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      synchronize();
    } catch (DeviceException e) {
      LOG.log(System.Logger.Level.WARNING, "close device=" + id, e);
    }
    removeHook();
    FreeLater.await(ordinal);
    completion.close();
    housekeeping.later("close device=" + id, this::giveAllBack);
    housekeeping.close();
  }

  private void removeHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook runs or has run.
    }
  }

  private void giveAllBack() {
    streams.open().forEach(stream -> attempt(stream::freeBuffers));
    transfer.close(this::attempt);
    allocator.close(this::attempt);
    eventPool.close(this::attempt);
    joinPool.close(this::attempt);
  }

  /** On a lost device nothing can be given back, and trying may hang. */
  private void attempt(Runnable call) {
    try {
      if (!loss.isLost()) {
        call.run();
      }
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "close device=" + id, loss.seen(e));
    }
  }

  /** At the end of the process: HIP's own end must not find these threads inside it. */
  private void stopThreads() {
    completion.stop();
    housekeeping.stop();
  }
}
