package dev.millrace.profiler.analysis;

import dev.millrace.profiler.model.Operations;
import dev.millrace.profiler.model.Records;
import dev.millrace.profiler.model.TraceModel;
import dev.millrace.profiler.model.Waits;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was submitted to each stream, in its order, and what a point in that order waits for. Pair,
 * producer and released operation follow from the places in the streams' orders; times only say
 * when they were ready.
 */
final class SubmissionOrder {
  private record RecordId(long event, long generation) {}

  private final Operations ops;
  private final Waits waits;
  private final Records records;
  private final Submissions submissions;
  private final int[][] opsOf;
  private final int[][] waitsOf;
  private final Map<RecordId, Integer> recordOf = new HashMap<>();
  private final @Nullable Cause[] resolved;

  SubmissionOrder(TraceModel trace, Submissions submissions) {
    ops = trace.operations();
    waits = trace.waits();
    records = trace.records();
    this.submissions = submissions;
    int streams = trace.streams().size();
    opsOf =
        Ordering.by(ops.size(), streams, row -> Lanes.isWork(ops, row), ops::stream, ops::index);
    waitsOf = Ordering.by(waits.size(), streams, this::holds, waits::stream, waits::index);
    for (int row = 0; row < records.size(); row++) {
      recordOf.put(new RecordId(records.event(row), records.generation(row)), row);
    }
    resolved = new Cause[waits.size()];
  }

  private boolean holds(int wait) {
    return waits.disposition(wait) == Waits.Disposition.ENQUEUED;
  }

  /** How many events held the operation: waits between it and the operation before it. */
  int waitCount(int op) {
    int[] own = waitsOf[ops.stream(op)];
    return Ordering.countBelow(own, waits::index, ops.index(op)) - firstWait(op);
  }

  /** When the {@code n}-th of the events that held the operation was ready, and by what. */
  Cause event(int op, int n) {
    return resolve(waitsOf[ops.stream(op)][firstWait(op) + n]);
  }

  private int firstWait(int op) {
    int[] lane = opsOf[ops.stream(op)];
    int place = Ordering.countBelow(lane, ops::index, ops.index(op));
    long after = place == 0 ? Long.MIN_VALUE : ops.index(lane[place - 1]);
    return Ordering.countBelow(waitsOf[ops.stream(op)], waits::index, after);
  }

  /** What a host thread waited for that synchronised with a whole stream at that time. */
  Cause drained(int stream, long atNs) {
    if (stream < 0) {
      return Cause.UNKNOWN;
    }
    return latest(
        stream,
        Ordering.countBelow(opsOf[stream], this::submittedNs, atNs + 1),
        Ordering.countBelow(waitsOf[stream], waits::atNs, atNs + 1));
  }

  private long submittedNs(int op) {
    return submissions.isKnown(op) ? submissions.loNs(op) : ops.beginNs(op);
  }

  /** What a host thread waited for that synchronised with a record of an event. */
  Cause recorded(long event, long generation) {
    Integer row = recordOf.get(new RecordId(event, generation));
    return row == null ? Cause.UNKNOWN : reached(records.stream(row), records.index(row));
  }

  private Cause resolve(int wait) {
    Cause known = resolved[wait];
    if (known != null) {
      return known;
    }
    resolved[wait] = Cause.UNKNOWN; // Only a broken trace has waits in a circle; this ends it.
    Cause cause = reached(waits.sourceStream(wait), waits.sourceIndex(wait));
    Integer row = recordOf.get(new RecordId(waits.event(wait), waits.generation(wait)));
    Cause ready = (row == null ? cause : cause.latest(submissionOf(row))).asEvent();
    resolved[wait] = ready;
    return ready;
  }

  private Cause submissionOf(int record) {
    int call = submissions.call(records.correlation(record));
    return call == Submissions.NONE
        ? Cause.UNKNOWN
        : Cause.host(submissions.threadOf(call), records.atNs(record));
  }

  /** What has to be over before a stream reaches this place in its order. */
  private Cause reached(int stream, long index) {
    if (stream < 0) {
      return Cause.UNKNOWN;
    }
    return latest(
        stream,
        Ordering.countBelow(opsOf[stream], ops::index, index),
        Ordering.countBelow(waitsOf[stream], waits::index, index));
  }

  /** The last of the first operations, or a wait behind it if that was ready later. */
  private Cause latest(int stream, int operations, int held) {
    Cause latest = Cause.UNKNOWN;
    long index = Long.MIN_VALUE;
    if (operations > 0) {
      int op = opsOf[stream][operations - 1];
      index = ops.index(op);
      latest = Cause.predecessor(op, ops.endNs(op));
    }
    for (int i = held - 1; i >= 0 && waits.index(waitsOf[stream][i]) > index; i--) {
      latest = latest.latest(resolve(waitsOf[stream][i]));
    }
    return latest;
  }
}
