package dev.millrace.gpu.captured;

import dev.millrace.gpu.ffi.HipStreams;
import dev.millrace.gpu.stream.CaptureGate;
import dev.millrace.gpu.stream.CapturedLaunch;
import dev.millrace.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/** Writes down what is captured: the nodes that can be repointed, and what they use. */
final class Recorder implements CaptureGate.Keeper {
  private final CaptureSpec spec;
  private final Tensor[] buffers;
  private final long stream;
  private final List<RepointedNode> nodes = new ArrayList<>();
  private final List<Runnable> kept = new ArrayList<>();
  private String last = "nothing";

  Recorder(CaptureSpec spec, Tensor[] buffers, long stream) {
    this.spec = spec;
    this.buffers = buffers;
    this.stream = stream;
  }

  @Override
  public void keep(Runnable used) {
    kept.add(used);
  }

  @Override
  public void launched(String name, CapturedLaunch launch) {
    captured(name, node -> new RepointedNode.OfLaunch(node, launch));
  }

  /** A call was captured as one node, the one that the stream's next call will follow. */
  void captured(String name, LongFunction<RepointedNode> made) {
    long node = HipStreams.lastCapturedNode(stream);
    if (node == 0) {
      throw new IllegalStateException(
          "capture " + name + " of " + spec + ": it is no node of the graph; " + after());
    }
    nodes.add(made.apply(node));
    last = name;
  }

  @Override
  public void requireFixed(String user, Tensor tensor) {
    List<CaptureSpec.Slot> slots = spec.slots().toList();
    for (int i = 0; i < buffers.length; i++) {
      if (slots.get(i).isRepointed() && isInside(tensor.address(), buffers[i])) {
        throw new IllegalArgumentException(
            user
                + "="
                + slots.get(i).spec().name()
                + " of "
                + spec
                + ": a library's launch cannot be pointed at other memory, expected passing=FIXED");
      }
    }
  }

  static boolean isInside(long address, Tensor buffer) {
    return address >= buffer.address() && address < buffer.address() + buffer.byteSize();
  }

  /** Where the capture had got to, for messages. */
  String after() {
    return "the last captured call was " + last + ", number=" + nodes.size();
  }

  List<RepointedNode> nodes() {
    return nodes;
  }

  void letGo() {
    kept.forEach(Runnable::run);
    kept.clear();
  }
}
