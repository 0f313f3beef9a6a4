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
import java.util.List;
import java.util.SplittableRandom;

/** Traces of random programs, and traces that make no sense. */
final class RandomTraces {
  private static final int STREAMS = 4;
  private static final int THREADS = 3;
  private static final List<Operations.Kind> KINDS = List.of(Operations.Kind.values());

  private RandomTraces() {}

  /** What a simulated device did with random launches, events and waits of several threads. */
  static TraceModel program(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SimulatedDevice device = new SimulatedDevice();
    long now = 1_000_000;
    for (long turn = 0; turn < 30; turn++) {
      long thread = 1 + random.nextLong(THREADS);
      long begin = now;
      int steps = 1 + random.nextInt(12);
      for (int step = 0; step < steps; step++) {
        now = step(device, random, thread, now + random.nextInt(3_000));
      }
      device.iteration("caller-" + thread, turn, thread, begin, now);
    }
    return device.trace();
  }

  private static long step(SimulatedDevice device, SplittableRandom random, long thread, long now) {
    long stream = 1 + random.nextLong(STREAMS);
    long event = 100 + random.nextLong(3);
    return switch (random.nextInt(8)) {
      case 0 -> device.record(thread, event, stream, now, 0);
      case 1, 2 -> device.await(thread, stream, event, now, 0);
      case 3 -> device.synchronize(thread, stream, now);
      default ->
          device.launch(
              new SimulatedDevice.Launch(thread, stream, "k", random.nextInt(20_000), 0), now);
    };
  }

  /** Rows whose ids, places and times have nothing to do with each other, though each is valid. */
  static TraceModel nonsense(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TraceModelBuilder trace = new TraceModelBuilder();
    for (int i = 0; i < 120; i++) {
      addNonsense(trace, random);
    }
    return trace.build();
  }

  private static void addNonsense(TraceModelBuilder trace, SplittableRandom random) {
    long begin = random.nextInt(1000);
    long end = begin + random.nextInt(0, 100);
    int stream = trace.stream(1 + random.nextInt(3));
    int source = random.nextInt(5) == 0 ? Streams.NONE : trace.stream(1 + random.nextInt(3));
    int thread = trace.thread(random.nextInt(2));
    long correlation = random.nextInt(30);
    long event = 1 + random.nextLong(2);
    long generation = random.nextInt(3);
    long index = random.nextInt(40);
    long run = random.nextInt(4);
    String caller = "caller-" + random.nextInt(2);
    switch (random.nextInt(8)) {
      case 0 ->
          trace.add(
              new Calls.Row(
                  "c", thread, begin, end, correlation, 0, stream, event, generation, 0, run));
      case 1 ->
          trace.add(new Records.Row(event, generation, stream, index, correlation, begin, run));
      case 2 ->
          trace.add(
              new Waits.Row(
                  stream,
                  index,
                  event,
                  generation,
                  source,
                  random.nextInt(40),
                  Waits.Disposition.ENQUEUED,
                  correlation,
                  begin,
                  run));
      case 3 ->
          trace.add(
              new HostSyncs.Row(
                  thread, begin, end, source, event - 1, 1, HostSyncs.How.BLOCKED, run));
      case 4 ->
          trace.add(
              new Ranges.Row(
                  "millrace.iteration", caller, index, thread, begin, end + random.nextInt(300)));
      case 5 ->
          trace.add(
              new Runs.Row(
                  run,
                  caller,
                  index,
                  Runs.Mode.FORK_JOIN,
                  "m",
                  0,
                  stream,
                  stream,
                  thread,
                  begin,
                  end));
      default -> {
        Operations.Kind kind = KINDS.get(random.nextInt(KINDS.size()));
        trace.add(new Operations.Row(kind, "k", correlation, stream, index, begin, end, run));
      }
    }
  }
}
