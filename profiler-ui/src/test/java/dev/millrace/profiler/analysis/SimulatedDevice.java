package dev.millrace.profiler.analysis;

import dev.millrace.profiler.model.Calls;
import dev.millrace.profiler.model.HostSyncs;
import dev.millrace.profiler.model.Operations;
import dev.millrace.profiler.model.Ranges;
import dev.millrace.profiler.model.Records;
import dev.millrace.profiler.model.Runs;
import dev.millrace.profiler.model.Streams;
import dev.millrace.profiler.model.TraceModel;
import dev.millrace.profiler.model.TraceModelBuilder;
import dev.millrace.profiler.model.Waits;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A device with streams and events whose latencies are set, and the trace of what it did. What host
 * threads ask for has to arrive in the order of its time: then each begin follows from what came
 * before it.
 */
public final class SimulatedDevice {
  /** From the end of the launching call to the begin of work that nothing else holds. */
  public static final long LAUNCH_NS = 3_500;

  /** From the end of an operation to the begin of the next one on its stream. */
  public static final long PREDECESSOR_NS = 900;

  /** From an event to the begin of work on a stream that waited for it. */
  public static final long EVENT_NS = 2_500;

  /** How long a launching call takes. */
  public static final long CALL_NS = 4_000;

  /** How long a call takes that records an event or lets a stream wait for one. */
  public static final long EVENT_CALL_NS = 500;

  /** From the end of the work to the return of the host call that waited for it. */
  public static final long SYNC_NS = 6_000;

  private static final class Stream {
    long lastEndNs = Long.MIN_VALUE / 2;
    long heldUntilNs = Long.MIN_VALUE / 2;
    long readyNs = Long.MIN_VALUE / 2;
    long index;
  }

  private record Recorded(long stream, long index, long generation, long readyNs) {}

  private final TraceModelBuilder trace = new TraceModelBuilder();
  private final Map<Long, Stream> streams = new HashMap<>();
  private final Map<Long, Recorded> events = new HashMap<>();
  private long correlations;

  /** What a launch belongs to. */
  record Launch(long thread, long stream, String name, long durationNs, long run) {}

  /** Launches work and returns when the call does. */
  long launch(Launch what, long nowNs) {
    Stream it = stream(what.stream());
    long returnNs = nowNs + CALL_NS;
    long beginNs = Math.max(returnNs + LAUNCH_NS, it.lastEndNs + PREDECESSOR_NS);
    beginNs = Math.max(beginNs, it.heldUntilNs + EVENT_NS);
    long endNs = beginNs + what.durationNs();
    call("launch", what.thread(), nowNs, returnNs, what.run());
    trace.add(
        new Operations.Row(
            Operations.Kind.PROGRAM,
            what.name(),
            correlations,
            trace.stream(what.stream()),
            ++it.index,
            beginNs,
            endNs,
            what.run()));
    it.lastEndNs = endNs;
    it.readyNs = endNs;
    return returnNs;
  }

  /** Records an event and returns when the call does. */
  long record(long thread, long event, long stream, long nowNs, long run) {
    Stream it = stream(stream);
    Recorded before = events.get(event);
    long generation = before == null ? 1 : before.generation() + 1;
    call("record", thread, nowNs, nowNs + EVENT_CALL_NS, run);
    trace.add(
        new Records.Row(
            event, generation, trace.stream(stream), ++it.index, correlations, nowNs, run));
    events.put(event, new Recorded(stream, it.index, generation, Math.max(nowNs, drainedNs(it))));
    return nowNs + EVENT_CALL_NS;
  }

  /** Lets a stream wait for an event and returns when the call does. */
  long await(long thread, long stream, long event, long nowNs, long run) {
    Stream it = stream(stream);
    Recorded source = events.get(event);
    Waits.Disposition disposition = disposition(stream, source, nowNs);
    call("wait", thread, nowNs, nowNs + EVENT_CALL_NS, run);
    trace.add(
        new Waits.Row(
            trace.stream(stream),
            ++it.index,
            event,
            source == null ? 0 : source.generation(),
            source == null ? Streams.NONE : trace.stream(source.stream()),
            source == null ? 0 : source.index(),
            disposition,
            correlations,
            nowNs,
            run));
    if (source != null && disposition == Waits.Disposition.ENQUEUED) {
      it.heldUntilNs = Math.max(it.heldUntilNs, source.readyNs());
      it.readyNs = Math.max(it.readyNs, source.readyNs());
    }
    return nowNs + EVENT_CALL_NS;
  }

  private static Waits.Disposition disposition(long stream, @Nullable Recorded source, long nowNs) {
    if (source == null) {
      return Waits.Disposition.NEVER_RECORDED;
    }
    if (source.stream() == stream) {
      return Waits.Disposition.SAME_STREAM;
    }
    return source.readyNs() <= nowNs ? Waits.Disposition.COMPLETE : Waits.Disposition.ENQUEUED;
  }

  /** Waits for a stream and returns when the host thread goes on. */
  long synchronize(long thread, long stream, long nowNs) {
    long returnNs = Math.max(nowNs, drainedNs(stream(stream))) + SYNC_NS;
    trace.add(
        new HostSyncs.Row(
            trace.thread(thread),
            nowNs,
            returnNs,
            trace.stream(stream),
            0,
            0,
            HostSyncs.How.BLOCKED,
            0));
    return returnNs;
  }

  void iteration(String caller, long number, long thread, long beginNs, long endNs) {
    trace.add(
        new Ranges.Row("millrace.iteration", caller, number, trace.thread(thread), beginNs, endNs));
  }

  void run(long run, String caller, long iteration, long home, long own, long atNs) {
    trace.add(
        new Runs.Row(
            run,
            caller,
            iteration,
            own == 0 ? Runs.Mode.EXTERNAL : Runs.Mode.FORK_JOIN,
            "model",
            0,
            trace.stream(home),
            trace.stream(own),
            trace.thread(home),
            atNs,
            atNs));
  }

  TraceModel trace() {
    return trace.build();
  }

  private void call(String name, long thread, long beginNs, long endNs, long run) {
    correlations++;
    trace.add(
        new Calls.Row(
            name,
            trace.thread(thread),
            beginNs,
            endNs,
            correlations,
            0,
            Streams.NONE,
            0,
            0,
            0,
            run));
  }

  private Stream stream(long id) {
    return streams.computeIfAbsent(id, it -> new Stream());
  }

  private static long drainedNs(Stream stream) {
    return stream.readyNs;
  }
}
