// What streams are given to do, and graphs of it.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "hip_abi.h"
#include "modules.h"
#include "runtime.h"

namespace hipcpu {

// Rows of bytes; plain copies have one row.
struct Copy {
  void* to = nullptr;
  const void* from = nullptr;
  size_t toPitch = 0, fromPitch = 0, width = 0, height = 1;
  hipMemcpyKind kind = hipMemcpyDefault;
  void run() const;
};

struct Fill {
  hipMemsetParams parameters{};
  void run() const;
};

struct HostCall {
  hipHostFn_t function = nullptr;
  void* userData = nullptr;
  void run() const { function(userData); }
};

struct Nothing {
  void run() const {}
};

// Null pointers, impossible pitches and kinds, and bytes beyond the end of a known allocation. A fill wants known
// memory.
hipError_t validate(const Copy& copy);
hipError_t validate(const Fill& fill);

using Operation = std::variant<KernelLaunch, Copy, Fill, HostCall, Nothing>;

hipGraphNodeType typeOf(const Operation& operation);
void run(const Operation& operation);

struct GraphNode {
  hipGraphNode_t handle = nullptr;
  Operation operation;
  std::vector<hipGraphNode_t> dependencies;
  std::vector<void*> parameterPointers;  // that hipGraphKernelNodeGetParams gave out
};

// Nodes in the order in which they were captured, which is a topological one.
struct Graph {
  int device = 0;
  std::vector<std::shared_ptr<GraphNode>> nodes;
  hipGraphNode_t add(Operation operation, std::vector<hipGraphNode_t> dependencies);
  std::vector<hipGraphNode_t> leaves() const;
  // Nodes die with their graph: the runtime forgets their handles.
  void forgetNodes();
};

struct GraphExec {
  struct Step {
    hipGraphNode_t node;                         // of the graph it was made from
    std::shared_ptr<const Operation> operation;  // replaced, never changed: launches in flight keep the old one
    size_t dependencies;
  };
  uint64_t id = 0;
  uint64_t launches = 0;
  int device = 0;
  std::vector<Step> steps;
  Step* find(hipGraphNode_t node);
};

// Enqueues the operation or adds it to the capture that the stream is in. With the runtime's lock held.
hipError_t enqueue(hipStream_t stream, Operation operation);

}  // namespace hipcpu
