package dev.millrace.host;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * HIP's rules, walked through call by call without a thread: for each stream the set of nodes that
 * its next operation comes after, for each event the set that its latest record stands for. There
 * is no queue, no lock and no mark in here; what the device does is checked against it.
 *
 * <p>Where an implementation may order more than HIP promises, {@link #strongest} says the most
 * that is allowed and {@link #weakest} the least.
 */
final class HipOrder {
  private final StreamProgram program;
  private final boolean strong;
  private final BitSet[] reached;
  private final @Nullable BitSet[] recorded;

  /** What destroyed blocking streams were told to do: the null stream still comes after it. */
  private final BitSet gone = new BitSet();

  /** What the calling thread has waited for: all that it submits later comes after it. */
  private final BitSet host = new BitSet();

  private final List<BitSet> before = new ArrayList<>();
  private final List<BitSet> awaited = new ArrayList<>();

  private HipOrder(StreamProgram program, boolean strong) {
    this.program = program;
    this.strong = strong;
    this.reached = new BitSet[program.streams()];
    Arrays.setAll(reached, stream -> new BitSet());
    this.recorded = new @Nullable BitSet[program.events()];
    for (int node = 0; node < program.nodes(); node++) {
      before.add(new BitSet());
    }
    program.ops().forEach(this::apply);
  }

  static HipOrder weakest(StreamProgram program) {
    return new HipOrder(program, false);
  }

  static HipOrder strongest(StreamProgram program) {
    return new HipOrder(program, true);
  }

  /** The nodes that have to end before this one begins. */
  BitSet before(int node) {
    return before.get(node);
  }

  /** The nodes for which a call asks or waits: none unless it is a query or a synchronisation. */
  BitSet askedFor(int op) {
    return awaited.get(op);
  }

  int nodes() {
    return before.size();
  }

  private void apply(StreamOp op) {
    awaited.add(new BitSet());
    switch (op) {
      case StreamOp.Function(int stream, int node) -> submit(stream, node);
      case StreamOp.CopyBetween(int stream, int writer, int reader) -> {
        submit(stream, writer);
        submit(stream, reader);
      }
      case StreamOp.Claimed(int stream, List<Integer> nodes) -> claimed(stream, nodes);
      case StreamOp.RecordEvent(int stream, int event) -> {
        reach(stream);
        recorded[event] = copy(reached[stream]);
      }
      case StreamOp.Wait(int stream, int event) -> waitFor(stream, event);
      case StreamOp.WhenDone(int event, int node) -> {
        before.get(node).or(recordOf(event));
        before.get(node).or(host);
      }
      case StreamOp.SynchronizeStream(int stream) -> host.or(ask(outstanding(stream)));
      case StreamOp.SynchronizeEvent(int event) -> host.or(ask(recordOf(event)));
      case StreamOp.QueryStream(int stream) -> ask(outstanding(stream));
      case StreamOp.QueryEvent(int event) -> ask(recordOf(event));
      case StreamOp.ReplaceStream(int stream) -> replace(stream);
      case StreamOp.ReplaceEvent(int event) -> recorded[event] = null;
    }
  }

  /** An operation of a stream begins: the null stream and the blocking ones come after another. */
  private void reach(int stream) {
    if (stream == 0) {
      reached[0].or(outstanding(0));
    } else if (program.isBlocking(stream)) {
      reached[stream].or(reached[0]);
    }
    reached[stream].or(host);
  }

  private void submit(int stream, int node) {
    reach(stream);
    before.get(node).or(reached[stream]);
    reached[stream].set(node);
  }

  private void claimed(int stream, List<Integer> nodes) {
    nodes.forEach(node -> submit(stream, node));
    if (strong) {
      host.or(reached[stream]); // perhaps this thread does it all before it goes on
    }
  }

  private void waitFor(int stream, int event) {
    if (strong) {
      reach(stream); // nothing says whether a wait alone counts as an operation
    }
    reached[stream].or(recordOf(event));
  }

  private void replace(int stream) {
    if (program.isBlocking(stream)) {
      gone.or(reached[stream]);
    }
    reached[stream] = new BitSet();
  }

  /** All that a stream was told to do; for the null stream, what blocking ones were told, too. */
  private BitSet outstanding(int stream) {
    BitSet all = copy(reached[stream]);
    if (stream == 0) {
      all.or(gone);
      for (int other = 1; other <= program.blocking(); other++) {
        all.or(reached[other]);
      }
    }
    return all;
  }

  private BitSet recordOf(int event) {
    BitSet record = recorded[event];
    return record == null ? new BitSet() : record;
  }

  private BitSet ask(BitSet nodes) {
    awaited.getLast().or(nodes);
    return nodes;
  }

  private static BitSet copy(BitSet set) {
    return (BitSet) set.clone();
  }
}
