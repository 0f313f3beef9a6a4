package dev.millrace.profiler.analysis;

import dev.millrace.profiler.model.HostSyncs;
import dev.millrace.profiler.model.TraceModel;

/** When host threads waited for a device, and for what. */
final class HostWaits {
  private final HostSyncs syncs;
  private final SubmissionOrder order;
  private final int[][] byEnd;

  HostWaits(TraceModel trace, SubmissionOrder order) {
    this.syncs = trace.hostSyncs();
    this.order = order;
    byEnd =
        Ordering.by(syncs.size(), trace.threads().size(), row -> true, syncs::thread, syncs::endNs);
  }

  /** The thread's waits that had ended by then, the last one last. */
  int countEnded(int thread, long atNs) {
    return Ordering.countBelow(byEnd[thread], syncs::endNs, atNs + 1);
  }

  long beginNs(int thread, int n) {
    return syncs.beginNs(byEnd[thread][n]);
  }

  long endNs(int thread, int n) {
    return syncs.endNs(byEnd[thread][n]);
  }

  /** What the thread's {@code n}-th wait was for. */
  Cause waitedFor(int thread, int n) {
    int sync = byEnd[thread][n];
    if (syncs.event(sync) != 0) {
      return order.recorded(syncs.event(sync), syncs.generation(sync));
    }
    boolean inline = syncs.how(sync) == HostSyncs.How.INLINE;
    return order.drained(syncs.stream(sync), inline ? syncs.endNs(sync) : syncs.beginNs(sync));
  }

  /** How long the thread waited between these times. */
  long waitedNs(int thread, long fromNs, long toNs) {
    int[] own = byEnd[thread];
    long sum = 0;
    for (int i = countEnded(thread, fromNs); i < own.length; i++) {
      long begin = Math.max(fromNs, syncs.beginNs(own[i]));
      sum += Math.max(0, Math.min(toNs, syncs.endNs(own[i])) - begin);
      if (syncs.beginNs(own[i]) >= toNs) {
        break;
      }
    }
    return sum;
  }
}
