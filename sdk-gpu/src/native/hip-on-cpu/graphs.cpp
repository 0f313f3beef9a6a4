// The functions that work on graphs and on their instantiated form.
#include <algorithm>
#include <cstring>

#include "control.h"
#include "graph.h"
#include "hip_on_cpu.h"
#include "memory.h"
#include "runtime.h"

using namespace hipcpu;

namespace {

constexpr unsigned long long kAutoFreeOnLaunch = 1, kUseNodePriority = 8;

bool isBeingCaptured(const Graph* graph) {
  const auto& captures = Runtime::get().allCaptures;
  return std::any_of(captures.begin(), captures.end(),
                     [&](const auto& stream) { return stream->capture->graph.get() == graph; });
}

hipError_t instantiate(hipGraphExec_t* handle, hipGraph_t graphHandle) {
  if (handle == nullptr || graphHandle == nullptr) return hipErrorInvalidValue;
  auto held = guard();
  auto& runtime = Runtime::get();
  auto graph = runtime.graphs.find(graphHandle);
  if (graph == nullptr || isBeingCaptured(graph.get())) return hipErrorInvalidValue;
  static uint64_t lastId = 0;
  auto exec = std::make_shared<GraphExec>();
  exec->id = ++lastId;
  exec->device = graph->device;
  for (const auto& node : graph->nodes) {
    exec->steps.push_back(
        {node->handle, std::make_shared<const Operation>(node->operation), node->dependencies.size()});
  }
  *handle = static_cast<hipGraphExec_t>(runtime.execs.add(exec));
  return hipSuccess;
}

uint64_t knownLaunch(const Knowledge& known, uint64_t exec) {
  if (known == nullptr) return 0;
  auto found = known->find(exec);
  return found == known->end() ? 0 : found->second;
}

// HIP does not order two launches of one instantiated graph, which share its memory. What orders them must be a stream,
// an event or a wait of the host; where there is nothing of the kind it is an error of the program, however it ended.
void noteLaunch(GraphExec& exec, Stream& stream) {
  auto& runtime = Runtime::get();
  uint64_t ordered = std::max(knownLaunch(stream.known, exec.id), knownLaunch(runtime.hostKnown, exec.id));
  if (ordered < exec.launches) ++runtime.execOverlaps;
  ++exec.launches;
  stream.known = merged(stream.known, std::make_shared<const Launches>(Launches{{exec.id, exec.launches}}));
}

hipError_t launch(hipGraphExec_t handle, hipStream_t streamHandle) {
  auto held = guard();
  auto& runtime = Runtime::get();
  auto exec = runtime.execs.find(handle);
  if (exec == nullptr) return hipErrorInvalidValue;
  auto stream = runtime.stream(streamHandle);
  if (stream == nullptr) return hipErrorContextIsDestroyed;
  if (exec->device != stream->device) return hipErrorInvalidValue;
  std::vector<std::shared_ptr<const Operation>> operations;
  for (const auto& step : exec->steps) operations.push_back(step.operation);
  runtime.submit(*stream, [operations = std::move(operations)] {
    for (const auto& operation : operations) run(*operation);
  });
  noteLaunch(*exec, *stream);
  return hipSuccess;
}

hipError_t upload(hipGraphExec_t handle, hipStream_t stream) {
  auto held = guard();
  auto& runtime = Runtime::get();
  if (runtime.execs.find(handle) == nullptr) return hipErrorInvalidValue;
  return runtime.stream(stream) == nullptr ? hipErrorContextIsDestroyed : hipSuccess;
}

hipError_t destroyGraph(hipGraph_t handle) {
  if (handle == nullptr) return hipErrorInvalidValue;
  auto held = guard();
  auto& runtime = Runtime::get();
  auto graph = runtime.graphs.find(handle);
  if (graph == nullptr || isBeingCaptured(graph.get())) return hipErrorIllegalState;
  graph->forgetNodes();
  runtime.graphs.remove(handle);
  return hipSuccess;
}

hipError_t destroyExec(hipGraphExec_t handle) {
  auto held = guard();
  return Runtime::get().execs.remove(handle) == nullptr ? hipErrorInvalidValue : hipSuccess;
}

hipError_t nodesOf(hipGraph_t handle, hipGraphNode_t* nodes, size_t* count) {
  if (handle == nullptr || count == nullptr) return hipErrorInvalidValue;
  auto held = guard();
  auto graph = Runtime::get().graphs.find(handle);
  if (graph == nullptr) return hipErrorInvalidValue;
  size_t size = graph->nodes.size();
  if (nodes != nullptr) {
    for (size_t i = 0; i < *count; ++i) nodes[i] = i < size ? graph->nodes[i]->handle : nullptr;
  }
  if (nodes == nullptr || *count > size) *count = size;
  return hipSuccess;
}

// The operation of a live node, if it is of this kind.
template <typename T>
const T* operationOf(hipGraphNode_t handle, std::shared_ptr<GraphNode>& node) {
  node = Runtime::get().nodes.find(handle);
  return node == nullptr ? nullptr : std::get_if<T>(&node->operation);
}

hipError_t kernelParameters(hipGraphNode_t handle, hipKernelNodeParams* parameters) {
  auto held = guard();
  std::shared_ptr<GraphNode> node;
  auto* launch = operationOf<KernelLaunch>(handle, node);
  if (launch == nullptr || parameters == nullptr) return hipErrorInvalidValue;
  node->parameterPointers = launch->argumentPointers();
  *parameters = {launch->block,
                 nullptr,
                 const_cast<void*>(launch->function),
                 launch->grid,
                 node->parameterPointers.empty() ? nullptr : node->parameterPointers.data(),
                 launch->sharedBytes};
  return hipSuccess;
}

hipError_t fillParameters(hipGraphNode_t handle, hipMemsetParams* parameters) {
  auto held = guard();
  std::shared_ptr<GraphNode> node;
  auto* fill = operationOf<Fill>(handle, node);
  if (fill == nullptr || parameters == nullptr) return hipErrorInvalidValue;
  *parameters = fill->parameters;
  return hipSuccess;
}

// Gives the step that was made from this node another operation of the same kind.
template <typename T, typename Make>
hipError_t replace(hipGraphExec_t execHandle, hipGraphNode_t nodeHandle, Make&& make) {
  auto held = guard();
  auto& runtime = Runtime::get();
  auto exec = runtime.execs.find(execHandle);
  auto* step = exec == nullptr ? nullptr : exec->find(nodeHandle);
  auto* old = step == nullptr ? nullptr : std::get_if<T>(step->operation.get());
  if (old == nullptr) return hipErrorInvalidValue;
  T made;
  if (auto refused = make(*old, made)) return refused;
  step->operation = std::make_shared<const Operation>(std::move(made));
  return hipSuccess;
}

hipError_t replaceKernel(hipGraphExec_t exec, hipGraphNode_t node, const hipKernelNodeParams* p) {
  if (p == nullptr || p->func == nullptr) return hipErrorInvalidValue;
  return replace<KernelLaunch>(exec, node, [&](const KernelLaunch&, KernelLaunch& made) {
    return prepare(made, p->func, p->gridDim, p->blockDim, p->sharedMemBytes, p->kernelParams, p->extra);
  });
}

hipError_t replaceCopy(hipGraphExec_t exec, hipGraphNode_t node, const Copy& copy) {
  if (copy.to == nullptr || copy.from == nullptr || copy.width == 0 || copy.from == copy.to)
    return hipErrorInvalidValue;
  return replace<Copy>(exec, node, [&](const Copy& old, Copy& made) {
    if (old.kind != copy.kind) return hipErrorInvalidValue;
    made = copy;
    return validate(copy);
  });
}

hipError_t replaceFill(hipGraphExec_t exec, hipGraphNode_t node, const hipMemsetParams* p) {
  if (p == nullptr || p->dst == nullptr) return hipErrorInvalidValue;
  return replace<Fill>(exec, node, [&](const Fill&, Fill& made) {
    made.parameters = *p;
    return validate(made);
  });
}

// Why this node cannot take the place of that step.
hipGraphExecUpdateResult obstacle(const GraphExec& exec, const GraphExec::Step& step, const Graph& graph,
                                  const GraphNode& node) {
  auto type = typeOf(node.operation);
  if (typeOf(*step.operation) != type) return hipGraphExecUpdateErrorNodeTypeChanged;
  bool isOfDevice = type != hipGraphNodeTypeHost && type != hipGraphNodeTypeEmpty;
  if (isOfDevice && exec.device != graph.device) return hipGraphExecUpdateErrorUnsupportedFunctionChange;
  if (auto* copy = std::get_if<Copy>(&node.operation)) {
    if (copy->kind != std::get<Copy>(*step.operation).kind) return hipGraphExecUpdateErrorParametersChanged;
  }
  return step.dependencies == node.dependencies.size() ? hipGraphExecUpdateSuccess
                                                       : hipGraphExecUpdateErrorTopologyChanged;
}

hipError_t update(hipGraphExec_t execHandle, hipGraph_t graphHandle, hipGraphNode_t* errorNode,
                  hipGraphExecUpdateResult* result) {
  if (errorNode == nullptr || result == nullptr) return hipErrorInvalidValue;
  auto held = guard();
  auto& runtime = Runtime::get();
  auto exec = runtime.execs.find(execHandle);
  auto graph = runtime.graphs.find(graphHandle);
  if (exec == nullptr || graph == nullptr) return hipErrorInvalidValue;
  *errorNode = nullptr;
  *result = hipGraphExecUpdateErrorTopologyChanged;
  if (graph->nodes.size() != exec->steps.size()) return hipErrorGraphExecUpdateFailure;
  for (size_t i = 0; i < exec->steps.size(); ++i) {
    *result = obstacle(*exec, exec->steps[i], *graph, *graph->nodes[i]);
    if (*result != hipGraphExecUpdateSuccess) {
      *errorNode = graph->nodes[i]->handle;
      return hipErrorGraphExecUpdateFailure;  // what came before it is changed already, as in HIP
    }
    exec->steps[i].operation = std::make_shared<const Operation>(graph->nodes[i]->operation);
  }
  *result = hipGraphExecUpdateSuccess;
  return hipSuccess;
}

long visibleStreams() {
  const auto& streams = Runtime::get().streams;
  return std::count_if(streams.begin(), streams.end(), [](const auto& entry) { return !entry.second->hidden; });
}

}  // namespace

hipError_t hipGraphInstantiate(hipGraphExec_t* exec, hipGraph_t graph, hipGraphNode_t* errorNode, char* log,
                               size_t logSize) {
  return api(__func__, kNoStream, CALLER, [&] {
    if (errorNode != nullptr) *errorNode = nullptr;
    if (log != nullptr && logSize > 0) *log = '\0';
    return instantiate(exec, graph);
  });
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* exec, hipGraph_t graph, unsigned long long flags) {
  return api(__func__, kNoStream, CALLER, [&] {
    if (flags != 0 && flags != kAutoFreeOnLaunch && flags != kUseNodePriority) return hipErrorInvalidValue;
    return instantiate(exec, graph);
  });
}

hipError_t hipGraphUpload(hipGraphExec_t exec, hipStream_t stream) {
  return api(__func__, stream, CALLER, [&] { return upload(exec, stream); });
}

hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t stream) {
  return api(__func__, stream, CALLER, [&] { return launch(exec, stream); });
}

hipError_t hipGraphExecDestroy(hipGraphExec_t exec) {
  return api(__func__, kNoStream, CALLER, [&] { return destroyExec(exec); });
}

hipError_t hipGraphDestroy(hipGraph_t graph) {
  return api(__func__, kNoStream, CALLER, [&] { return destroyGraph(graph); });
}

hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t* nodes, size_t* count) {
  return api(__func__, kNoStream, CALLER, [&] { return nodesOf(graph, nodes, count); });
}

hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType* type) {
  return api(__func__, kNoStream, CALLER, [&] {
    auto held = guard();
    auto found = Runtime::get().nodes.find(node);
    if (found == nullptr || type == nullptr) return hipErrorInvalidValue;
    *type = typeOf(found->operation);
    return hipSuccess;
  });
}

hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams* parameters) {
  return api(__func__, kNoStream, CALLER, [&] { return kernelParameters(node, parameters); });
}

hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams* parameters) {
  return api(__func__, kNoStream, CALLER, [&] { return fillParameters(node, parameters); });
}

hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipKernelNodeParams* parameters) {
  return api(__func__, kNoStream, CALLER, [&] { return replaceKernel(exec, node, parameters); });
}

hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec, hipGraphNode_t node, void* to, const void* from,
                                             size_t size, hipMemcpyKind kind) {
  return api(__func__, kNoStream, CALLER,
             [&] { return replaceCopy(exec, node, {to, from, size, size, size, 1, kind}); });
}

hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipMemsetParams* parameters) {
  return api(__func__, kNoStream, CALLER, [&] { return replaceFill(exec, node, parameters); });
}

hipError_t hipGraphExecUpdate(hipGraphExec_t exec, hipGraph_t graph, hipGraphNode_t* errorNode,
                              hipGraphExecUpdateResult* result) {
  return api(__func__, kNoStream, CALLER, [&] { return update(exec, graph, errorNode, result); });
}

extern "C" long hipOnCpuLive(const char* what) {
  auto is = [&](const char* word) { return std::strcmp(what, word) == 0; };
  if (is("bytes")) return liveBytes();
  if (is("registrations")) return liveRegistrations();
  if (is("overruns")) return overruns();
  auto held = guard();
  auto& runtime = Runtime::get();
  if (is("streams")) return visibleStreams();
  if (is("events")) return static_cast<long>(runtime.events.size());
  if (is("modules")) return static_cast<long>(runtime.modules.size());
  if (is("graphs")) return static_cast<long>(runtime.graphs.size());
  if (is("execs")) return static_cast<long>(runtime.execs.size());
  if (is("exec-overlaps")) return runtime.execOverlaps;
  return -1;
}
