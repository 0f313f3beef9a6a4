package dev.millrace.gpu.ffi;

import java.lang.invoke.MethodHandle;

/** Graphs of HIP. */
public final class HipGraphs {
  private static final MethodHandle GRAPH_INSTANTIATE_WITH_FLAGS =
      Hip.LIBRARY.check(
          "instantiate a graph",
          "hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* pGraphExec, hipGraph_t graph, unsigned long long flags)");
  private static final MethodHandle GRAPH_UPLOAD =
      Hip.LIBRARY.check(
          "upload a graph",
          "hipError_t hipGraphUpload(hipGraphExec_t graphExec, hipStream_t stream)");
  private static final MethodHandle GRAPH_LAUNCH =
      Hip.LIBRARY.check(
          "launch a graph",
          "hipError_t hipGraphLaunch(hipGraphExec_t graphExec, hipStream_t stream)");
  private static final MethodHandle GRAPH_EXEC_DESTROY =
      Hip.LIBRARY.check(
          "destroy an instantiated graph",
          "hipError_t hipGraphExecDestroy(hipGraphExec_t graphExec)");
  private static final MethodHandle GRAPH_DESTROY =
      Hip.LIBRARY.check("destroy a graph", "hipError_t hipGraphDestroy(hipGraph_t graph)");
  private static final MethodHandle GRAPH_GET_NODES =
      Hip.LIBRARY.check(
          "ask for the nodes of a graph",
          "hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t* nodes, size_t* numNodes)");
  private static final MethodHandle GRAPH_NODE_GET_TYPE =
      Hip.LIBRARY.check(
          "ask for the kind of a node",
          "hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType* pType)");
  private static final MethodHandle GRAPH_KERNEL_NODE_GET_PARAMS =
      Hip.LIBRARY.check(
          "ask for the parameters of a kernel node",
          "hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams* pNodeParams)");
  private static final MethodHandle GRAPH_EXEC_KERNEL_NODE_SET_PARAMS =
      Hip.LIBRARY.check(
          "point a kernel node at other arguments",
          "hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node, const hipKernelNodeParams* pNodeParams)");
  private static final MethodHandle GRAPH_EXEC_MEMCPY_NODE_SET_PARAMS1_D =
      Hip.LIBRARY.check(
          "point a copy node at other memory",
          "hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t hGraphExec, hipGraphNode_t node, void* dst, const void* src, size_t count, hipMemcpyKind kind)");
  private static final MethodHandle GRAPH_EXEC_MEMSET_NODE_SET_PARAMS =
      Hip.LIBRARY.check(
          "point a fill node at other memory",
          "hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node, const hipMemsetParams* pNodeParams)");
  private static final MethodHandle GRAPH_EXEC_UPDATE =
      Hip.LIBRARY.check(
          "update an instantiated graph",
          "hipError_t hipGraphExecUpdate(hipGraphExec_t hGraphExec, hipGraph_t hGraph, hipGraphNode_t* hErrorNode_out, hipGraphExecUpdateResult* updateResult_out)");

  private HipGraphs() {}

  /**
   * Makes a graph ready to be launched.
   *
   * @param graph the graph
   * @param flags 0
   * @return what can be launched
   */
  public static long graphInstantiateWithFlags(long graph, long flags) {
    long out = Native.slot();
    try {
      GRAPH_INSTANTIATE_WITH_FLAGS.invokeExact(out, graph, flags);
      return Native.getLong(out);
    } catch (Throwable e) {
      throw Native.unexpected("hipGraphInstantiateWithFlags", e);
    }
  }

  /**
   * Does before the first launch what that would do.
   *
   * @param graphExec what can be launched
   * @param stream the stream
   */
  public static void graphUpload(long graphExec, long stream) {
    try {
      GRAPH_UPLOAD.invokeExact(graphExec, stream);
    } catch (Throwable e) {
      throw Native.unexpected("hipGraphUpload", e);
    }
  }

  /**
   * Launches. HIP does not order two launches of one exec.
   *
   * @param graphExec what can be launched
   * @param stream the stream
   */
  public static void graphLaunch(long graphExec, long stream) {
    try {
      GRAPH_LAUNCH.invokeExact(graphExec, stream);
    } catch (Throwable e) {
      throw Native.unexpected("hipGraphLaunch", e);
    }
  }

  /**
   * Destroys what can be launched.
   *
   * @param graphExec the exec
   */
  public static void graphExecDestroy(long graphExec) {
    try {
      GRAPH_EXEC_DESTROY.invokeExact(graphExec);
    } catch (Throwable e) {
      throw Native.unexpected("hipGraphExecDestroy", e);
    }
  }

  /**
   * Destroys a graph.
   *
   * @param graph the graph
   */
  public static void graphDestroy(long graph) {
    try {
      GRAPH_DESTROY.invokeExact(graph);
    } catch (Throwable e) {
      throw Native.unexpected("hipGraphDestroy", e);
    }
  }

  /**
   * The nodes of a graph.
   *
   * @param graph the graph
   * @param nodes address of room for them, or 0
   * @param numNodes address of how many there is room for; then how many there are
   */
  public static void graphGetNodes(long graph, long nodes, long numNodes) {
    try {
      GRAPH_GET_NODES.invokeExact(graph, nodes, numNodes);
    } catch (Throwable e) {
      throw Native.unexpected("hipGraphGetNodes", e);
    }
  }

  /**
   * The kind of a node.
   *
   * @param node the node
   * @return 0 kernel, 1 copy, 2 fill, 3 host function, 5 empty
   */
  public static int graphNodeGetType(long node) {
    long out = Native.slot();
    try {
      GRAPH_NODE_GET_TYPE.invokeExact(node, out);
      return Native.getInt(out);
    } catch (Throwable e) {
      throw Native.unexpected("hipGraphNodeGetType", e);
    }
  }

  /**
   * What a kernel node launches.
   *
   * @param node the node
   * @param pNodeParams address of 64 bytes
   */
  public static void graphKernelNodeGetParams(long node, long pNodeParams) {
    try {
      GRAPH_KERNEL_NODE_GET_PARAMS.invokeExact(node, pNodeParams);
    } catch (Throwable e) {
      throw Native.unexpected("hipGraphKernelNodeGetParams", e);
    }
  }

  /**
   * Changes a kernel node of later launches.
   *
   * @param hGraphExec the exec
   * @param node the node
   * @param pNodeParams address of 64 bytes
   */
  public static void graphExecKernelNodeSetParams(long hGraphExec, long node, long pNodeParams) {
    try {
      GRAPH_EXEC_KERNEL_NODE_SET_PARAMS.invokeExact(hGraphExec, node, pNodeParams);
    } catch (Throwable e) {
      throw Native.unexpected("hipGraphExecKernelNodeSetParams", e);
    }
  }

  /**
   * Changes a copy node of later launches.
   *
   * @param hGraphExec the exec
   * @param node the node
   * @param dst to
   * @param src from
   * @param count bytes
   * @param kind as for copies
   */
  public static void graphExecMemcpyNodeSetParams1D(
      long hGraphExec, long node, long dst, long src, long count, int kind) {
    try {
      GRAPH_EXEC_MEMCPY_NODE_SET_PARAMS1_D.invokeExact(hGraphExec, node, dst, src, count, kind);
    } catch (Throwable e) {
      throw Native.unexpected("hipGraphExecMemcpyNodeSetParams1D", e);
    }
  }

  /**
   * Changes a fill node of later launches.
   *
   * @param hGraphExec the exec
   * @param node the node
   * @param pNodeParams address of 48 bytes
   */
  public static void graphExecMemsetNodeSetParams(long hGraphExec, long node, long pNodeParams) {
    try {
      GRAPH_EXEC_MEMSET_NODE_SET_PARAMS.invokeExact(hGraphExec, node, pNodeParams);
    } catch (Throwable e) {
      throw Native.unexpected("hipGraphExecMemsetNodeSetParams", e);
    }
  }

  /**
   * Gives an exec the parameters of another graph of the same form.
   *
   * @param hGraphExec the exec
   * @param hGraph the graph
   * @param hErrorNode_out address of a node, what fits not
   * @param updateResult_out address of an int, why
   */
  public static void graphExecUpdate(
      long hGraphExec, long hGraph, long hErrorNode_out, long updateResult_out) {
    try {
      GRAPH_EXEC_UPDATE.invokeExact(hGraphExec, hGraph, hErrorNode_out, updateResult_out);
    } catch (Throwable e) {
      throw Native.unexpected("hipGraphExecUpdate", e);
    }
  }
}
