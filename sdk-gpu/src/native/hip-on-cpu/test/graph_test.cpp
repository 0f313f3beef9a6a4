#include <cstring>

#include "code_objects.h"

namespace {

// One graph of a kernel, a copy, a fill and a host function, captured from a stream.
class Captured {
 public:
  template <typename Body>
  explicit Captured(Body body) {
    auto stream = newStream();
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
    body(stream);
    OK(hipStreamEndCapture(stream, &graph));
    OK(hipStreamDestroy(stream));
    OK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  }
  ~Captured() {
    static_cast<void>(hipGraphDestroy(graph));
    static_cast<void>(hipGraphExecDestroy(exec));
  }
  std::vector<hipGraphNode_t> nodes() const {
    size_t count = 0;
    OK(hipGraphGetNodes(graph, nullptr, &count));
    std::vector<hipGraphNode_t> nodes(count);
    OK(hipGraphGetNodes(graph, nodes.data(), &count));
    return nodes;
  }
  hipGraph_t graph = nullptr;
  hipGraphExec_t exec = nullptr;
};

hipGraphNodeType typeOf(hipGraphNode_t node) {
  hipGraphNodeType type;
  OK(hipGraphNodeGetType(node, &type));
  return type;
}

Captured increments(const TestKernels& kernels, int* pointer) {
  return Captured([&](hipStream_t stream) { launchIncrement(kernels["increment"], stream, pointer); });
}

void runOn(hipGraphExec_t exec) {
  OK(hipGraphLaunch(exec, nullptr));
  OK(hipStreamSynchronize(nullptr));
}

}  // namespace

TEST(tellsTheNodesOfAGraph) {
  TestKernels kernels;
  DeviceInt a, b;
  Note note{};
  Captured captured([&](hipStream_t stream) {
    launchIncrement(kernels["increment"], stream, a.pointer);
    OK(hipMemcpyAsync(b.pointer, a.pointer, 4, hipMemcpyDeviceToDevice, stream));
    OK(hipMemsetAsync(a.pointer, 2, 4, stream));
    OK(hipLaunchHostFunc(stream, append, &note));
  });
  auto nodes = captured.nodes();
  CHECK_EQUAL(nodes.size(), 4);
  CHECK_EQUAL(typeOf(nodes[0]), hipGraphNodeTypeKernel);
  CHECK_EQUAL(typeOf(nodes[1]), hipGraphNodeTypeMemcpy);
  CHECK_EQUAL(typeOf(nodes[2]), hipGraphNodeTypeMemset);
  CHECK_EQUAL(typeOf(nodes[3]), hipGraphNodeTypeHost);
  hipKernelNodeParams kernel;
  OK(hipGraphKernelNodeGetParams(nodes[0], &kernel));
  CHECK(kernel.func == kernels["increment"]);
  CHECK(*static_cast<int**>(kernel.kernelParams[0]) == a.pointer);
  CHECK_EQUAL(hipGraphKernelNodeGetParams(nodes[1], &kernel), hipErrorInvalidValue);
  hipMemsetParams fill;
  OK(hipGraphMemsetNodeGetParams(nodes[2], &fill));
  CHECK(fill.dst == a.pointer);
  CHECK_EQUAL(fill.width * fill.elementSize, 4);
  OK(hipGraphDestroy(captured.graph));
  hipGraphNodeType type;
  CHECK_EQUAL(hipGraphNodeGetType(nodes[0], &type), hipErrorInvalidValue);
  CHECK_EQUAL(hipGraphDestroy(captured.graph), hipErrorIllegalState);
}

TEST(changesTheParametersOfAnInstantiatedGraph) {
  TestKernels kernels;
  DeviceInt a, b, c;
  Captured captured([&](hipStream_t stream) {
    OK(hipMemsetAsync(a.pointer, 0, 4, stream));
    launchIncrement(kernels["increment"], stream, a.pointer);
    OK(hipMemcpyAsync(c.pointer, a.pointer, 4, hipMemcpyDeviceToDevice, stream));
  });
  auto nodes = captured.nodes();
  hipMemsetParams fill{b.pointer, 4, 1, 4, 41, 1};
  OK(hipGraphExecMemsetNodeSetParams(captured.exec, nodes[0], &fill));
  hipKernelNodeParams kernel;
  OK(hipGraphKernelNodeGetParams(nodes[1], &kernel));
  void* parameters[] = {&b.pointer};
  kernel.kernelParams = parameters;
  OK(hipGraphExecKernelNodeSetParams(captured.exec, nodes[1], &kernel));
  OK(hipGraphExecMemcpyNodeSetParams1D(captured.exec, nodes[2], c.pointer, b.pointer, 4, hipMemcpyDeviceToDevice));
  runOn(captured.exec);
  CHECK_EQUAL(a.get(), 0);
  CHECK_EQUAL(b.get(), 42);
  CHECK_EQUAL(c.get(), 42);
  auto* exec = captured.exec;
  CHECK_EQUAL(hipGraphExecMemcpyNodeSetParams1D(exec, nodes[2], c.pointer, b.pointer, 4, hipMemcpyDefault),
              hipErrorInvalidValue);
  CHECK_EQUAL(hipGraphExecMemcpyNodeSetParams1D(exec, nodes[2], c.pointer, b.pointer, 5, hipMemcpyDeviceToDevice),
              hipErrorInvalidValue);
  CHECK_EQUAL(hipGraphExecMemsetNodeSetParams(exec, nodes[1], &fill), hipErrorInvalidValue);
  kernel.kernelParams = nullptr;
  CHECK_EQUAL(hipGraphExecKernelNodeSetParams(exec, nodes[1], &kernel), hipErrorInvalidValue);
}

TEST(updatesAnInstantiatedGraphFromAnother) {
  TestKernels kernels;
  DeviceInt a, b;
  auto first = increments(kernels, a.pointer), second = increments(kernels, b.pointer);
  Captured third([&](hipStream_t stream) { OK(hipMemsetAsync(a.pointer, 0, 4, stream)); });
  Captured longer([&](hipStream_t stream) {
    launchIncrement(kernels["increment"], stream, a.pointer);
    launchIncrement(kernels["increment"], stream, a.pointer);
  });
  hipGraphNode_t node;
  hipGraphExecUpdateResult result;
  OK(hipGraphExecUpdate(first.exec, second.graph, &node, &result));
  CHECK_EQUAL(result, hipGraphExecUpdateSuccess);
  runOn(first.exec);
  CHECK_EQUAL(a.get() * 10 + b.get(), 1);
  CHECK_EQUAL(hipGraphExecUpdate(first.exec, third.graph, &node, &result), hipErrorGraphExecUpdateFailure);
  CHECK_EQUAL(result, hipGraphExecUpdateErrorNodeTypeChanged);
  CHECK(node == third.nodes()[0]);
  CHECK_EQUAL(hipGraphExecUpdate(first.exec, longer.graph, &node, &result), hipErrorGraphExecUpdateFailure);
  CHECK_EQUAL(result, hipGraphExecUpdateErrorTopologyChanged);
}

TEST(countsLaunchesThatNothingOrders) {
  std::atomic<int> count{0};  // what launches that meet may both touch
  Captured captured([&](hipStream_t stream) {
    OK(hipLaunchHostFunc(stream, [](void* c) { ++*static_cast<std::atomic<int>*>(c); }, &count));
  });
  auto first = newStream(), second = newStream();
  auto event = newEvent();
  long before = live("exec-overlaps");
  OK(hipGraphLaunch(captured.exec, first));
  OK(hipGraphLaunch(captured.exec, first));  // one stream orders them
  CHECK_EQUAL(live("exec-overlaps"), before);
  OK(hipGraphLaunch(captured.exec, second));  // nothing does, whether or not they met
  CHECK_EQUAL(live("exec-overlaps"), before + 1);
  OK(hipEventRecord(event, second));
  OK(hipStreamWaitEvent(first, event, 0));
  OK(hipGraphLaunch(captured.exec, first));  // the event does
  CHECK_EQUAL(live("exec-overlaps"), before + 1);
  OK(hipStreamSynchronize(first));
  OK(hipGraphLaunch(captured.exec, second));  // the host did
  CHECK_EQUAL(live("exec-overlaps"), before + 1);
  for (auto stream : {first, second}) OK(hipStreamDestroy(stream));
  CHECK_EQUAL(count.load(), 5);
  OK(hipEventDestroy(event));
}

TEST(ordersLaunchesThroughThirdStreamsAndTheNullStream) {
  TestKernels kernels;
  DeviceInt a;
  auto captured = increments(kernels, a.pointer);
  auto first = newStream(), between = newStream(), last = newStream(), blocking = newStream(hipStreamDefault);
  auto event = newEvent();
  long before = live("exec-overlaps");
  Gate gate;
  gate.holdOn(first);
  OK(hipGraphLaunch(captured.exec, first));
  OK(hipEventRecord(event, first));
  OK(hipStreamWaitEvent(between, event, 0));
  OK(hipEventRecord(event, between));
  OK(hipStreamWaitEvent(last, event, 0));
  OK(hipGraphLaunch(captured.exec, last));
  OK(hipEventRecord(event, last));
  OK(hipStreamWaitEvent(blocking, event, 0));
  OK(hipGraphLaunch(captured.exec, nullptr));   // null waits for the blocking stream
  OK(hipGraphLaunch(captured.exec, blocking));  // which waits for null
  CHECK_EQUAL(live("exec-overlaps"), before);
  gate.open();
  OK(hipDeviceSynchronize());
  CHECK_EQUAL(a.get(), 4);
  for (auto stream : {first, between, last, blocking}) OK(hipStreamDestroy(stream));
  OK(hipEventDestroy(event));
}

TEST(polledEventsOrderLaunches) {
  TestKernels kernels;
  DeviceInt a;
  auto captured = increments(kernels, a.pointer);
  auto first = newStream(), second = newStream();
  auto event = newEvent();
  long before = live("exec-overlaps");
  OK(hipGraphLaunch(captured.exec, first));
  OK(hipEventRecord(event, first));
  while (hipEventQuery(event) == hipErrorNotReady) {
  }
  OK(hipGraphLaunch(captured.exec, second));
  CHECK_EQUAL(live("exec-overlaps"), before);
  for (auto stream : {first, second}) OK(hipStreamDestroy(stream));
  OK(hipEventDestroy(event));
}

TEST(launchesInFlightOutliveTheirGraph) {
  TestKernels kernels;
  DeviceInt a;
  auto stream = newStream();
  Gate gate;
  gate.holdOn(stream);
  {
    auto captured = increments(kernels, a.pointer);
    OK(hipGraphUpload(captured.exec, stream));
    OK(hipGraphLaunch(captured.exec, stream));
  }
  gate.open();
  OK(hipStreamDestroy(stream));
  CHECK_EQUAL(a.get(), 1);
}

TEST(refusesWrongGraphs) {
  TestKernels kernels;
  DeviceInt a;
  auto captured = increments(kernels, a.pointer);
  hipGraphExec_t exec;
  CHECK_EQUAL(hipGraphInstantiate(&exec, nullptr, nullptr, nullptr, 0), hipErrorInvalidValue);
  CHECK_EQUAL(hipGraphInstantiateWithFlags(&exec, captured.graph, 2), hipErrorInvalidValue);
  CHECK_EQUAL(hipGraphLaunch(nullptr, nullptr), hipErrorInvalidValue);
  CHECK_EQUAL(hipGraphExecDestroy(nullptr), hipErrorInvalidValue);
  OK(hipSetDevice(1));
  auto elsewhere = newStream();
  CHECK_EQUAL(hipGraphLaunch(captured.exec, elsewhere), hipErrorInvalidValue);
  OK(hipStreamDestroy(elsewhere));
}
