package dev.millrace.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.handle.StreamOptions;
import dev.millrace.spi.DeviceDriver;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * A random program on the real device. Each node notes when it began and ended; afterwards, and
 * whenever a call claims that something is done, that is held against HIP's order.
 */
final class StreamExecution {
  private static final long HANG_SECONDS = Long.getLong("millrace.test.hang", 60);

  /** What a function was told to throw. */
  static final class Planned extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Planned(int node) {
      super("node " + node, null, false, false);
    }
  }

  private final StreamProgram program;
  private final HipOrder order;
  private final DeviceDriver driver;
  private final Arena memory;
  private final SplittableRandom random;
  private final long[] streams;
  private final long[] events;
  private final List<List<Integer>> failuresToCome = new ArrayList<>();

  private final AtomicInteger clock = new AtomicInteger();
  private final AtomicInteger[] began;
  private final AtomicInteger[] ended;
  private final CountDownLatch[] begun;
  private final CountDownLatch allEnded;
  private final List<String> wrong = new ArrayList<>();

  StreamExecution(
      StreamProgram program, DeviceDriver driver, Arena memory, SplittableRandom random) {
    this.program = program;
    this.memory = memory;
    this.allEnded = new CountDownLatch(program.nodes());
    this.order = HipOrder.weakest(program);
    this.driver = driver;
    this.random = random;
    this.streams = new long[program.streams()];
    this.events = new long[program.events()];
    this.began = counters(program.nodes());
    this.ended = counters(program.nodes());
    this.begun = new CountDownLatch[program.nodes()];
    for (int node = 0; node < begun.length; node++) {
      begun[node] = new CountDownLatch(1);
    }
  }

  private static AtomicInteger[] counters(int count) {
    return IntStream.range(0, count)
        .mapToObj(_ -> new AtomicInteger())
        .toArray(AtomicInteger[]::new);
  }

  /** Runs it all; nothing of it is left on the device afterwards. */
  void run() {
    open();
    for (int i = 0; i < program.ops().size(); i++) {
      execute(program.ops().get(i), order.askedFor(i));
    }
    finish();
    close();
    checkOrder();
  }

  private void open() {
    for (int stream = 0; stream < streams.length; stream++) {
      streams[stream] = stream == 0 ? 0 : newStream(stream);
      failuresToCome.add(new ArrayList<>());
    }
    for (int event = 0; event < events.length; event++) {
      events[event] = driver.createEvent();
    }
  }

  private long newStream(int stream) {
    StreamOptions options = StreamOptions.defaults();
    return driver.createStream(program.isBlocking(stream) ? options.withBlocking() : options);
  }

  private Tensor newTensor() {
    return Tensor.wrap(memory.allocate(ValueLayout.JAVA_INT), DataType.INT32, Shape.of(1));
  }

  private void execute(StreamOp op, BitSet asked) {
    switch (op) {
      case StreamOp.Function(int stream, int node) -> submit(stream, node, () -> {});
      case StreamOp.CopyBetween copy -> copy(copy);
      case StreamOp.Claimed(int stream, List<Integer> nodes) -> claimed(stream, nodes);
      case StreamOp.RecordEvent(int stream, int event) ->
          driver.recordEvent(events[event], streams[stream]);
      case StreamOp.Wait(int stream, int event) -> driver.waitEvent(streams[stream], events[event]);
      case StreamOp.WhenDone(int event, int node) ->
          driver.whenDone(events[event], () -> node(node, 0, () -> {}));
      case StreamOp.SynchronizeStream(int stream) -> synchronizeStream(stream, asked);
      case StreamOp.SynchronizeEvent(int event) -> synchronizeEvent(event, asked);
      case StreamOp.QueryStream(int stream) ->
          checkDone(driver.isStreamIdle(streams[stream]), op, asked);
      case StreamOp.QueryEvent(int event) ->
          checkDone(driver.isEventDone(events[event]), op, asked);
      case StreamOp.ReplaceStream(int stream) -> replaceStream(stream);
      case StreamOp.ReplaceEvent(int event) -> {
        driver.destroyEvent(events[event]);
        events[event] = driver.createEvent();
      }
    }
  }

  private void submit(int stream, int node, Runnable body) {
    int pause = random.nextInt(8);
    if (program.fails().get(node)) {
      failuresToCome.get(stream).add(node);
    }
    driver.call(streams[stream], () -> node(node, pause, body));
  }

  private void copy(StreamOp.CopyBetween op) {
    Tensor source = newTensor();
    Tensor target = newTensor();
    int value = op.writer() + 1;
    submit(op.stream(), op.writer(), () -> source.write(new int[] {value}));
    driver.copy(streams[op.stream()], source, target);
    submit(op.stream(), op.reader(), () -> checkCopied(op, target.readInts()[0] == value));
  }

  private void checkCopied(StreamOp.CopyBetween op, boolean right) {
    if (!right) {
      note(op + " read something else than what was written");
    }
  }

  private void claimed(int stream, List<Integer> nodes) {
    boolean claimed = driver.tryClaim(streams[stream]);
    nodes.forEach(node -> submit(stream, node, () -> {}));
    if (claimed) {
      driver.runClaimed(streams[stream]);
    }
  }

  private void replaceStream(int stream) {
    driver.destroyStream(streams[stream]);
    streams[stream] = newStream(stream);
    failuresToCome.get(stream).clear(); // went with the stream
  }

  private void synchronizeStream(int stream, BitSet asked) {
    if (!driver.synchronizeStream(streams[stream], TimeUnit.SECONDS.toNanos(HANG_SECONDS))) {
      throw new AssertionError("stream " + stream + " hangs: " + driver.describe());
    }
    checkDone(true, new StreamOp.SynchronizeStream(stream), asked);
    assertThat(driver.isStreamIdle(streams[stream])).as("stream %s is idle", stream).isTrue();
    checkFailures(stream);
  }

  private void synchronizeEvent(int event, BitSet asked) {
    if (!driver.synchronizeEvent(events[event], TimeUnit.SECONDS.toNanos(HANG_SECONDS))) {
      throw new AssertionError("event " + event + " hangs: " + driver.describe());
    }
    checkDone(true, new StreamOp.SynchronizeEvent(event), asked);
    assertThat(driver.isEventDone(events[event])).as("event %s is done", event).isTrue();
  }

  private void checkFailures(int stream) {
    List<Integer> planned = failuresToCome.get(stream);
    assertThat(driver.takeFailures(streams[stream]))
        .as("failures of stream %s", stream)
        .extracting(Throwable::getMessage)
        .containsExactlyElementsOf(planned.stream().map(node -> "node " + node).toList());
    planned.clear();
  }

  private void checkDone(boolean said, StreamOp op, BitSet nodes) {
    if (said) {
      nodes.stream()
          .filter(node -> ended[node].get() == 0)
          .forEach(node -> note(op + " said done before the end of node " + node));
    }
  }

  private void node(int node, int pause, Runnable body) {
    if (!began[node].compareAndSet(0, clock.incrementAndGet())) {
      note("node " + node + " ran twice");
    }
    begun[node].countDown();
    pause(pause);
    program.meets().get(node).stream()
        .forEach(partner -> await(begun[partner], "node " + partner + ", met by node " + node));
    body.run();
    ended[node].set(clock.incrementAndGet());
    allEnded.countDown();
    if (program.fails().get(node)) {
      throw new Planned(node);
    }
  }

  // Giving the processor away is the point: it makes other interleavings.
  @SuppressWarnings("ThreadPriorityCheck")
  private static void pause(int how) {
    switch (how) {
      case 1 -> Thread.yield();
      case 2 -> LockSupport.parkNanos(20_000);
      default -> {
        // most functions return at once
      }
    }
  }

  private void await(CountDownLatch latch, String what) {
    try {
      if (!latch.await(HANG_SECONDS, TimeUnit.SECONDS)) {
        note(what + " did not come: " + driver.describe());
      }
    } catch (InterruptedException e) {
      note("interrupted while waiting for " + what);
    }
  }

  private void note(String what) {
    synchronized (wrong) {
      wrong.add(what);
    }
  }

  private void finish() {
    for (int stream = 0; stream < streams.length; stream++) {
      synchronizeStream(stream, new BitSet());
    }
    // Streams that were destroyed run on; the null stream does not wait for non-blocking ones.
    await(allEnded, "the end of " + program.nodes() + " nodes");
  }

  private void close() {
    for (int stream = 1; stream < streams.length; stream++) {
      driver.destroyStream(streams[stream]);
    }
    for (long event : events) {
      driver.destroyEvent(event);
    }
  }

  private void checkOrder() {
    for (int node = 0; node < program.nodes(); node++) {
      int start = began[node].get();
      int late = node;
      order.before(node).stream()
          .filter(earlier -> ended[earlier].get() == 0 || ended[earlier].get() > start)
          .forEach(earlier -> note("node " + late + " began before the end of node " + earlier));
    }
    synchronized (wrong) {
      assertThat(wrong).as("%s", program).isEmpty();
    }
  }
}
