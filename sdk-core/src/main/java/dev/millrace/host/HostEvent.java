package dev.millrace.host;

import dev.millrace.trace.Trace;
import org.jspecify.annotations.Nullable;

/** An event: whatever mark was recorded last. */
final class HostEvent extends HandleTable.Entry {
  private final long traceId = Trace.nextId();
  private int generation;
  private volatile @Nullable Mark latest;

  long traceId() {
    return traceId;
  }

  @Nullable Mark latest() {
    return latest;
  }

  /** Locked, so that the latest record is the one that was submitted last. */
  synchronized Mark record(HostStream stream) {
    Mark mark = new Mark(stream, this, ++generation);
    stream.submit(mark);
    latest = mark;
    return mark;
  }
}
