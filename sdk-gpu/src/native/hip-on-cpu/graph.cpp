#include "graph.h"

#include <algorithm>
#include <cstring>

namespace hipcpu {

void Copy::run() const {
  for (size_t row = 0; row < height; ++row) {
    std::memmove(static_cast<char*>(to) + row * toPitch, static_cast<const char*>(from) + row * fromPitch, width);
  }
}

void Fill::run() const {
  for (size_t row = 0; row < parameters.height; ++row) {
    char* at = static_cast<char*>(parameters.dst) + row * parameters.pitch;
    if (parameters.elementSize == 1) {
      std::memset(at, static_cast<int>(parameters.value), parameters.width);
      continue;
    }
    for (size_t i = 0; i < parameters.width; ++i) {  // the value's low bytes, little-endian as the GPU's
      std::memcpy(at + i * parameters.elementSize, &parameters.value, parameters.elementSize);
    }
  }
}

hipGraphNodeType typeOf(const Operation& operation) {
  constexpr hipGraphNodeType types[] = {hipGraphNodeTypeKernel, hipGraphNodeTypeMemcpy, hipGraphNodeTypeMemset,
                                        hipGraphNodeTypeHost, hipGraphNodeTypeEmpty};
  return types[operation.index()];
}

void run(const Operation& operation) {
  std::visit([](const auto& what) { what.run(); }, operation);
}

hipGraphNode_t Graph::add(Operation operation, std::vector<hipGraphNode_t> dependencies) {
  auto node = std::make_shared<GraphNode>();
  node->operation = std::move(operation);
  node->dependencies = std::move(dependencies);
  node->handle = static_cast<hipGraphNode_t>(Runtime::get().nodes.add(node));
  nodes.push_back(node);
  return node->handle;
}

std::vector<hipGraphNode_t> Graph::leaves() const {
  std::unordered_set<const void*> needed;
  for (const auto& node : nodes) needed.insert(node->dependencies.begin(), node->dependencies.end());
  std::vector<hipGraphNode_t> leaves;
  for (const auto& node : nodes) {
    if (needed.count(node->handle) == 0) leaves.push_back(node->handle);
  }
  return leaves;
}

void Graph::forgetNodes() {
  for (const auto& node : nodes) Runtime::get().nodes.remove(node->handle);
  nodes.clear();
}

GraphExec::Step* GraphExec::find(hipGraphNode_t node) {
  auto found = std::find_if(steps.begin(), steps.end(), [&](const Step& step) { return step.node == node; });
  return found == steps.end() ? nullptr : &*found;
}

hipError_t enqueue(hipStream_t handle, Operation operation) {
  auto& runtime = Runtime::get();
  auto stream = runtime.stream(handle);
  if (stream == nullptr) return hipErrorContextIsDestroyed;
  if (stream->captureStatus == hipStreamCaptureStatusInvalidated) return hipErrorStreamCaptureInvalidated;
  if (stream->captureStatus == hipStreamCaptureStatusActive) {
    stream->lastNodes = {stream->capture->graph->add(std::move(operation), stream->lastNodes)};
    return hipSuccess;
  }
  // std::function wants what can be copied; a launch is copied nowhere else
  auto what = std::make_shared<const Operation>(std::move(operation));
  runtime.submit(*stream, [what] { run(*what); });
  return hipSuccess;
}

}  // namespace hipcpu
