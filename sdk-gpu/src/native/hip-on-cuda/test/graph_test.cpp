#include <vector>

#include "check.h"

using namespace selftest;

namespace {

struct Two {
  hipStream_t a, b;
  hipEvent_t fork, join;
  float* out;
  float* copy;

  Two() {
    OK(hipStreamCreateWithFlags(&a, hipStreamNonBlocking));
    OK(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
    OK(hipEventCreateWithFlags(&fork, hipEventDisableTiming));
    OK(hipEventCreateWithFlags(&join, hipEventDisableTiming));
    OK(hipMalloc(reinterpret_cast<void**>(&out), 1024));
    OK(hipMalloc(reinterpret_cast<void**>(&copy), 1024));
  }
  ~Two() {
    OK(hipStreamDestroy(a));
    OK(hipStreamDestroy(b));
    OK(hipEventDestroy(fork));
    OK(hipEventDestroy(join));
    OK(hipFree(out));
    OK(hipFree(copy));
  }
};

hipStreamCaptureStatus statusOf(hipStream_t stream) {
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  OK(hipStreamIsCapturing(stream, &status));
  return status;
}

size_t nodeCount(hipGraph_t graph) {
  size_t count = 0;
  OK(hipGraphGetNodes(graph, nullptr, &count));
  return count;
}

hipGraphNode_t nodeOf(hipGraph_t graph, hipGraphNodeType wanted) {
  size_t count = nodeCount(graph);
  std::vector<hipGraphNode_t> nodes(count);
  OK(hipGraphGetNodes(graph, nodes.data(), &count));
  for (auto node : nodes) {
    hipGraphNodeType type;
    OK(hipGraphNodeGetType(node, &type));
    if (type == wanted) {
      return node;
    }
  }
  return nullptr;
}

// Fork to b and back, and a wait for an event from outside, which HIP leaves out of the graph.
void testForkInCapture(Two& t) {
  hipEvent_t outside;
  OK(hipEventCreateWithFlags(&outside, hipEventDisableTiming));
  OK(hipEventRecord(outside, t.b));
  OK(hipStreamBeginCapture(t.a, hipStreamCaptureModeThreadLocal));
  CHECK(statusOf(t.a) == hipStreamCaptureStatusActive);
  OK(hipStreamWaitEvent(t.a, outside, 0));
  OK(fill(t.out, 7, 10, t.a));
  OK(hipEventRecord(t.fork, t.a));
  OK(hipStreamWaitEvent(t.b, t.fork, 0));
  CHECK(statusOf(t.b) == hipStreamCaptureStatusActive);
  OK(fill(t.copy, 8, 10, t.b));
  OK(hipEventRecord(t.join, t.b));
  OK(hipStreamWaitEvent(t.a, t.join, 0));
  hipStreamCaptureStatus status;
  unsigned long long id = 0;
  OK(hipStreamGetCaptureInfo_v2(t.a, &status, &id, nullptr, nullptr, nullptr));
  CHECK(status == hipStreamCaptureStatusActive && id != 0);
  hipGraph_t graph;
  OK(hipStreamEndCapture(t.a, &graph));
  CHECK(statusOf(t.b) == hipStreamCaptureStatusNone);
  CHECK(nodeCount(graph) == 2);
  hipGraphExec_t exec;
  OK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  OK(hipGraphLaunch(exec, t.b));
  CHECK(first(t.out, t.b) == 7);
  CHECK(first(t.copy, t.b) == 8);
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
  OK(hipEventDestroy(outside));
}

void testInvalidated(Two& t) {
  hipGraph_t graph = nullptr;
  OK(hipStreamBeginCapture(t.a, hipStreamCaptureModeRelaxed));
  OK(fill(t.out, 1, 1, t.a));
  CHECK(hipStreamSynchronize(t.a) == hipErrorStreamCaptureUnsupported);
  CHECK(statusOf(t.a) == hipStreamCaptureStatusInvalidated);
  STATUS(hipStreamEndCapture(t.a, &graph), hipErrorStreamCaptureInvalidated);
  CHECK(graph == nullptr);
  OK(fill(t.out, 2, 1, t.a));
  CHECK(first(t.out, t.a) == 2);
  STATUS(hipStreamBeginCapture(nullptr, hipStreamCaptureModeRelaxed), hipErrorStreamCaptureUnsupported);
  CHECK(hipStreamEndCapture(t.a, &graph) != hipSuccess);
}

void testDestroyedWhileCapturing() {
  hipStream_t stream;
  OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  OK(hipStreamDestroy(stream));
  hipStream_t next;
  OK(hipStreamCreateWithFlags(&next, hipStreamNonBlocking));
  CHECK(statusOf(next) == hipStreamCaptureStatusNone);
  OK(hipStreamSynchronize(next));
  OK(hipStreamDestroy(next));
}

// fill out, clear copy, copy out to copy
hipGraph_t capture(Two& t, float value) {
  hipGraph_t graph = nullptr;
  OK(hipStreamBeginCapture(t.a, hipStreamCaptureModeThreadLocal));
  OK(fill(t.out, value, 10, t.a));
  OK(hipMemsetAsync(t.copy, 0, 64, t.a));
  OK(hipMemcpyAsync(t.copy, t.out, 4, hipMemcpyDeviceToDevice, t.a));
  OK(hipStreamEndCapture(t.a, &graph));
  return graph;
}

void testRepointing(Two& t, hipGraph_t graph, hipGraphExec_t exec) {
  float* elsewhere;
  OK(hipMalloc(reinterpret_cast<void**>(&elsewhere), 1024));
  OK(hipMemsetAsync(elsewhere, 0xff, 1024, t.a));

  hipGraphNode_t kernel = nodeOf(graph, hipGraphNodeTypeKernel);
  hipKernelNodeParams p{};
  OK(hipGraphKernelNodeGetParams(kernel, &p));
  if (p.kernelParams == nullptr) {
    return note(false, "no parameters in the captured kernel node", __FILE__, __LINE__);
  }
  CHECK(p.func == kernels().fill && p.blockDim.x == 10 && p.gridDim.x == 1);
  CHECK(*static_cast<float**>(p.kernelParams[0]) == t.out && *static_cast<float*>(p.kernelParams[1]) == 5);
  float value = 6;
  int n = 10;
  void* list[] = {&elsewhere, &value, &n};
  p.kernelParams = list;
  OK(hipGraphExecKernelNodeSetParams(exec, kernel, &p));

  hipGraphNode_t set = nodeOf(graph, hipGraphNodeTypeMemset);
  hipMemsetParams m;
  OK(hipGraphMemsetNodeGetParams(set, &m));
  CHECK(m.dst == t.copy && m.elementSize * m.width == 64);
  m.dst = elsewhere + 100;
  OK(hipGraphExecMemsetNodeSetParams(exec, set, &m));

  hipGraphNode_t copy = nodeOf(graph, hipGraphNodeTypeMemcpy);
  OK(hipGraphExecMemcpyNodeSetParams1D(exec, copy, t.copy, elsewhere, 4, hipMemcpyDeviceToDevice));
  OK(hipGraphLaunch(exec, t.a));
  CHECK(first(elsewhere, t.a) == 6);
  CHECK(first(elsewhere + 100, t.a) == 0);
  CHECK(first(t.copy, t.a) == 6);
  OK(hipFree(elsewhere));
}

}  // namespace

void selftest::testCaptures() {
  Two t;
  hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
  OK(hipThreadExchangeStreamCaptureMode(&mode));
  CHECK(mode == hipStreamCaptureModeGlobal);
  OK(hipThreadExchangeStreamCaptureMode(&mode));
  CHECK(mode == hipStreamCaptureModeRelaxed);
  CHECK(statusOf(nullptr) == hipStreamCaptureStatusNone);
  testForkInCapture(t);
  testInvalidated(t);
  testDestroyedWhileCapturing();
}

void selftest::testGraphs() {
  Two t;
  hipGraph_t graph = capture(t, 5);
  CHECK(nodeCount(graph) == 3);
  hipGraphExec_t exec;
  OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
  OK(hipGraphUpload(exec, t.a));
  OK(hipGraphLaunch(exec, t.a));
  CHECK(first(t.copy, t.a) == 5);
  testRepointing(t, graph, exec);

  hipGraph_t other = capture(t, 9);
  hipGraphNode_t culprit;
  hipGraphExecUpdateResult result;
  OK(hipGraphExecUpdate(exec, other, &culprit, &result));
  CHECK(result == hipGraphExecUpdateSuccess);
  OK(hipGraphLaunch(exec, t.b));
  CHECK(first(t.copy, t.b) == 9);
  OK(hipGraphDestroy(other));

  OK(hipStreamBeginCapture(t.a, hipStreamCaptureModeThreadLocal));
  OK(fill(t.out, 1, 10, t.a));
  OK(hipStreamEndCapture(t.a, &other));
  STATUS(hipGraphExecUpdate(exec, other, &culprit, &result), hipErrorGraphExecUpdateFailure);
  CHECK(result == hipGraphExecUpdateErrorTopologyChanged);
  OK(hipGraphDestroy(other));
  OK(hipGraphDestroy(graph));
  OK(hipGraphExecDestroy(exec));
  STATUS(hipGraphLaunch(nullptr, t.a), hipErrorInvalidValue);
  STATUS(hipGraphDestroy(nullptr), hipErrorInvalidValue);
}
