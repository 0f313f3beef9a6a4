package dev.millrace.gpu.stream;

import dev.millrace.gpu.ffi.HipStreams;
import dev.millrace.lifetime.HoldCount;
import dev.millrace.spi.HostWork;
import dev.millrace.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What the driver knows of a stream of HIP beyond its address. */
final class GpuStream {
  private static final int MOST_FAILURES = 64;

  final long address;
  final long traceId = Trace.nextId();
  final boolean blocking;
  final boolean owned;

  /** The owner's hold, and one for each native call about an event that was recorded here. */
  final HoldCount holds = new HoldCount();

  /** How often other libraries' owners lent it; of no meaning for our own. */
  int adoptions;

  /** Which round of the completion thread found its oldest event not done; that thread's alone. */
  long heldInRound;

  /** Events on it that somebody waits for. */
  final AtomicInteger watched = new AtomicInteger();

  private final AtomicLong submissions = new AtomicLong();
  private final List<Throwable> failures = new ArrayList<>();
  private volatile boolean failed;

  private volatile @Nullable Performance performance;
  private volatile @Nullable Thread performer;

  // The last wait that was enqueued here. Only a description reads it: it may be torn.
  private @Nullable GpuEvent waitEvent;
  private @Nullable GpuStream waitSource;
  private int waitGeneration;
  private long waitTraceId;
  private volatile long waitSinceNs;

  /** Since when it has been seen busy with nothing done meanwhile; 0 while it was idle. */
  private volatile long busySinceNs;

  private final List<PinnedBuffer> buffers = new ArrayList<>();

  /** A host function that runs. */
  record Performance(HostWork work, long sinceNs) {}

  GpuStream(long address, boolean owned, boolean blocking) {
    this.address = address;
    this.owned = owned;
    this.blocking = blocking;
  }

  /** The place of the next thing that is submitted. */
  long nextIndex() {
    return submissions.getAndIncrement();
  }

  void performing(@Nullable Performance now) {
    performer = now == null ? null : Thread.currentThread();
    performance = now;
  }

  @Nullable Performance performance() {
    return performance;
  }

  /** Whether the calling thread runs a host function of this stream. */
  boolean isPerformedHere() {
    return performer == Thread.currentThread();
  }

  void waitsFor(GpuEvent event, int generation, GpuStream source) {
    waitEvent = event;
    waitSource = source;
    waitGeneration = generation;
    waitTraceId = event.traceId();
    waitSinceNs = System.nanoTime();
  }

  long waitSinceNs() {
    return waitSinceNs;
  }

  @Nullable GpuStream waitSource() {
    return waitSource;
  }

  /** The event of the last wait, if its latest record is still the one that is waited for. */
  @Nullable GpuEvent waitEvent() {
    GpuEvent event = waitEvent;
    return event != null
            && event.traceId() == waitTraceId
            && event.generation() == waitGeneration
            && event.stream() == waitSource
        ? event
        : null;
  }

  /** What the last wait was for, in words. */
  String waitWords() {
    GpuStream source = waitSource;
    return "event="
        + waitTraceId
        + " generation="
        + waitGeneration
        + (source == null ? "" : " of stream=" + source.traceId);
  }

  /** Something of it was seen done. */
  void progressed() {
    busySinceNs = 0;
  }

  /** Since when it has been seen at work on what it is at now. */
  long busySinceNs() {
    if (busySinceNs == 0) {
      busySinceNs = System.nanoTime();
    }
    return busySinceNs;
  }

  void addFailure(Throwable failure) {
    synchronized (failures) {
      if (failures.size() < MOST_FAILURES) {
        failures.add(failure);
        failed = true;
      }
    }
  }

  List<Throwable> takeFailures() {
    if (!failed) {
      return List.of();
    }
    synchronized (failures) {
      List<Throwable> taken = List.copyOf(failures);
      failures.clear();
      failed = false;
      return taken;
    }
  }

  /**
   * The memory through which unpinned memory is copied; the caller holds this stream's monitor.
   *
   * @param bytes how much is to be copied
   * @return enough for it, or for the parts of something larger
   */
  PinnedBuffer bufferFor(long bytes) {
    if (buffers.isEmpty() || !buffers.getLast().isEnoughFor(bytes)) {
      buffers.add(PinnedBuffer.forCopiesOf(bytes)); // copies under way still use the smaller ones
    }
    return buffers.getLast();
  }

  /** Frees what its copies went through; none of them is under way any more. */
  void freeBuffers() {
    synchronized (this) {
      buffers.forEach(PinnedBuffer::free);
      buffers.clear();
    }
  }

  @Override
  public String toString() {
    return address == 0 ? "null stream" : "stream=0x" + Long.toHexString(address);
  }

  /** The null stream cannot be captured, and HIP fails when it is asked for during a capture. */
  boolean isCapturing() {
    return address != 0 && HipStreams.streamIsCapturing(address) != 0;
  }
}
