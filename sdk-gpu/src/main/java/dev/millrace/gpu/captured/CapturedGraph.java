package dev.millrace.gpu.captured;

import dev.millrace.gpu.ffi.HipGraphs;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * A capture that can be replayed: the instantiated graph, and its nodes whose pointers change with
 * the tensors of a run. Its caller serialises all calls.
 */
final class CapturedGraph {
  private final long graph;
  private final long exec;
  private final RepointedNode[] nodes;
  private final Patch[][] patches;
  private final Recorder recorder;

  /** What each repointed tensor's address is in the instantiated graph; 0 where nobody knows. */
  private final long[] current;

  /** A pointer into a tensor that runs replace. */
  private record Patch(RepointedNode node, int pointer, long offset) {}

  private CapturedGraph(long graph, long exec, Recorder recorder, Patch[][] patches, long[] at) {
    this.graph = graph;
    this.exec = exec;
    this.recorder = recorder;
    this.nodes = recorder.nodes().toArray(RepointedNode[]::new);
    this.patches = patches;
    this.current = at;
  }

  /** Takes over the graph, also if it throws. */
  static CapturedGraph of(
      long graph, DeviceStream stream, CaptureSpec spec, Tensor[] buffers, Recorder recorder) {
    long exec = 0;
    try {
      exec = HipGraphs.graphInstantiateWithFlags(graph, 0);
      HipGraphs.graphUpload(exec, stream.handle().address());
      long[] current = new long[buffers.length];
      Patch[][] patches = new Patch[buffers.length][];
      List<CaptureSpec.Slot> slots = spec.slots().toList();
      for (int i = 0; i < buffers.length; i++) {
        current[i] = buffers[i].address();
        patches[i] = slots.get(i).isRepointed() ? patches(recorder, buffers[i]) : new Patch[0];
      }
      return new CapturedGraph(graph, exec, recorder, patches, current);
    } catch (RuntimeException | Error e) {
      destroy(graph, exec);
      throw e;
    }
  }

  private static Patch[] patches(Recorder recorder, Tensor buffer) {
    List<Patch> patches = new ArrayList<>();
    for (RepointedNode node : recorder.nodes()) {
      for (int i = 0; i < node.pointerCount(); i++) {
        if (Recorder.isInside(node.pointer(i), buffer)) {
          patches.add(new Patch(node, i, node.pointer(i) - buffer.address()));
        }
      }
    }
    return patches.toArray(Patch[]::new);
  }

  /**
   * Points the graph's later launches at another tensor; {@link #applyChanges} tells the runtime.
   *
   * @return whether that is another one than before
   */
  boolean repoint(int slot, long address) {
    if (current[slot] == address) {
      return false;
    }
    current[slot] = 0; // until the runtime was told
    for (Patch patch : patches[slot]) {
      patch.node().setPointer(patch.pointer(), address + patch.offset());
    }
    return true;
  }

  void applyChanges(long[] addresses) {
    for (RepointedNode node : nodes) {
      node.applyChanges(exec);
    }
    for (int i = 0; i < addresses.length; i++) {
      if (addresses[i] != 0) {
        current[i] = addresses[i];
      }
    }
  }

  void launch(long stream) {
    HipGraphs.graphLaunch(exec, stream);
  }

  void destroy() {
    try {
      destroy(graph, exec);
    } finally {
      recorder.letGo();
    }
  }

  private static void destroy(long graph, long exec) {
    try {
      if (exec != 0) {
        HipGraphs.graphExecDestroy(exec);
      }
    } finally {
      HipGraphs.graphDestroy(graph);
    }
  }
}
