package dev.millrace.host;

import java.util.BitSet;
import java.util.List;

/**
 * Which nodes may wait inside for the beginning of which others without a deadlock: the beginnings
 * and ends of all nodes, with what has to come before what, must stay without a cycle.
 */
final class Meetings {
  private final HipOrder order;
  private final List<BitSet> meets;

  Meetings(HipOrder order, List<BitSet> meets) {
    this.order = order;
    this.meets = meets;
  }

  void tryAdd(int node, int partner) {
    if (!meets.get(node).get(partner) && !beginNeedsEnd(partner, node, new BitSet())) {
      meets.get(node).set(partner);
    }
  }

  /** Whether a node cannot begin before another has ended. */
  private boolean beginNeedsEnd(int node, int end, BitSet seen) {
    BitSet earlier = order.before(node);
    return earlier.get(end) || earlier.stream().anyMatch(one -> endNeedsEnd(one, end, seen));
  }

  /** Whether a node cannot end before another has ended. */
  private boolean endNeedsEnd(int node, int end, BitSet seen) {
    if (node == end) {
      return true;
    }
    if (seen.get(node)) {
      return false;
    }
    seen.set(node);
    return beginNeedsEnd(node, end, seen)
        || meets.get(node).stream().anyMatch(one -> beginNeedsEnd(one, end, seen));
  }
}
