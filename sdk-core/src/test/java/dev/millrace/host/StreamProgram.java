package dev.millrace.host;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A random sequence of calls. Stream 0 is the null stream, the next ones are blocking, the rest are
 * not. Some of its functions fail, and some do not return before another has begun: those hang
 * unless the device lets everything run that HIP does not order.
 *
 * @param blocking how many blocking streams there are, beside the null stream
 * @param streams how many streams there are
 * @param events how many events there are
 * @param nodes how many functions and actions there are
 * @param fails the nodes that throw
 * @param meets for each node, those that have to begin before it ends
 */
record StreamProgram(
    int blocking,
    int streams,
    int events,
    int nodes,
    List<StreamOp> ops,
    BitSet fails,
    List<BitSet> meets) {

  static StreamProgram random(SplittableRandom random) {
    return new Maker(random).make();
  }

  boolean isBlocking(int stream) {
    return stream <= blocking;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append("streams: 0 is null, up to ").append(blocking).append(" blocking\n");
    ops.forEach(op -> text.append("  ").append(op).append('\n'));
    text.append("fails: ").append(fails).append(", meets:");
    for (int node = 0; node < nodes; node++) {
      if (!meets.get(node).isEmpty()) {
        text.append(' ').append(node).append("->").append(meets.get(node));
      }
    }
    return text.toString();
  }

  private static final class Maker {
    private final SplittableRandom random;
    private final int blocking;
    private final int streams;
    private final int events;
    private final List<StreamOp> ops = new ArrayList<>();
    private final BitSet functions = new BitSet();
    private int nodes;

    Maker(SplittableRandom random) {
      this.random = random;
      this.blocking = random.nextInt(3);
      this.streams = 1 + blocking + random.nextInt(blocking == 0 ? 1 : 0, 4);
      this.events = random.nextInt(1, 5);
    }

    StreamProgram make() {
      int length = random.nextInt(3, 40);
      int syncs = random.nextInt(2) * 4; // every other program never waits, so that queues grow
      for (int i = 0; i < length; i++) {
        ops.add(next(random.nextInt(46 + syncs)));
      }
      BitSet fails = new BitSet();
      functions.stream().filter(node -> random.nextInt(12) == 0).forEach(fails::set);
      List<BitSet> none = new ArrayList<>();
      for (int node = 0; node < nodes; node++) {
        none.add(new BitSet());
      }
      StreamProgram program = new StreamProgram(blocking, streams, events, nodes, ops, fails, none);
      program.addMeetings(random, functions);
      return program;
    }

    private StreamOp next(int choice) {
      return switch (choice) {
        case 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 ->
            new StreamOp.Function(stream(), function());
        case 15, 16 -> new StreamOp.CopyBetween(stream(), function(), function());
        case 17, 18 -> new StreamOp.Claimed(stream(), claimed());
        case 19, 20, 21, 22, 23, 24, 25, 26 -> new StreamOp.RecordEvent(stream(), event());
        case 27, 28, 29, 30, 31, 32, 33, 34, 35, 36 -> new StreamOp.Wait(stream(), event());
        case 37, 38 -> new StreamOp.WhenDone(event(), nodes++);
        case 39, 40 -> new StreamOp.QueryStream(stream());
        case 41, 42 -> new StreamOp.QueryEvent(event());
        case 43 -> new StreamOp.ReplaceEvent(event());
        case 44, 45 -> replaceStream();
        case 46, 47 -> new StreamOp.SynchronizeEvent(event());
        default -> new StreamOp.SynchronizeStream(stream());
      };
    }

    private StreamOp replaceStream() {
      int stream = stream();
      return stream == 0 ? new StreamOp.QueryStream(0) : new StreamOp.ReplaceStream(stream);
    }

    private int stream() {
      return random.nextInt(streams);
    }

    private int event() {
      return random.nextInt(events);
    }

    private int function() {
      functions.set(nodes);
      return nodes++;
    }

    private List<Integer> claimed() {
      List<Integer> claimed = new ArrayList<>();
      for (int i = random.nextInt(3); i >= 0; i--) {
        claimed.add(function());
      }
      return claimed;
    }
  }

  /** Adds meetings that no order forbids, late partners rather than early ones. */
  private void addMeetings(SplittableRandom random, BitSet functions) {
    if (nodes < 2 || functions.isEmpty()) {
      return;
    }
    Meetings allowed = new Meetings(HipOrder.strongest(this), meets);
    int[] waiting = functions.stream().toArray();
    for (int i = random.nextInt(8); i > 0; i--) {
      int node = waiting[random.nextInt(waiting.length)];
      int first = random.nextInt(nodes);
      int partner = Math.max(first, random.nextInt(nodes));
      if (node != partner) {
        allowed.tryAdd(node, partner);
      }
    }
  }
}
