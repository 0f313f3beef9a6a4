package dev.millrace.host;

import dev.millrace.spi.HostWork;
import dev.millrace.trace.Trace;
import dev.millrace.trace.TraceEvent.WorkKind;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * A run that also keeps when it was made. ONNX Runtime's profile counts by the wall clock, the
 * trace does not: each run reads both, so that a step of the wall clock between runs harms none.
 */
final class OnnxProfiledRun implements HostWork {
  private final HostWork work;
  private final long stream;
  private final Queue<OnnxProfiledRun> done;

  private long run;
  private long beginNs;
  private long wallBeginNs;
  private long wallEndNs;
  private long endNs;

  OnnxProfiledRun(HostWork work, long stream, Queue<OnnxProfiledRun> done) {
    this.work = work;
    this.stream = stream;
    this.done = done;
  }

  /** The wall clock, as nanoseconds since 1970. */
  static long wallClockNs() {
    Instant now = Instant.now();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }

  @Override
  public void run() throws Exception {
    if (!Trace.isOn()) {
      work.run();
      return;
    }
    run = work.runId(); // asked now: once the run is done the answer may be another's
    beginNs = System.nanoTime();
    wallBeginNs = wallClockNs();
    try {
      work.run();
    } finally {
      wallEndNs = wallClockNs();
      endNs = System.nanoTime();
      done.add(this);
    }
  }

  @Override
  public String name() {
    return work.name();
  }

  @Override
  public WorkKind kind() {
    return work.kind();
  }

  @Override
  public long runId() {
    return work.runId();
  }

  /** The run that this was. */
  long madeRun() {
    return run;
  }

  long stream() {
    return stream;
  }

  long wallBeginNs() {
    return wallBeginNs;
  }

  long wallEndNs() {
    return wallEndNs;
  }

  /**
   * A wall clock time during this run on the trace's clock, never outside the run. The thread may
   * have lost the processor between its two clocks: what the begin says errs one way, what the end
   * says the other.
   */
  long toTraceNs(long wallNs) {
    long atBegin = beginNs - wallBeginNs;
    long atEnd = endNs - wallEndNs;
    return Math.clamp(wallNs + atBegin + (atEnd - atBegin) / 2, beginNs, endNs);
  }
}
