// Follows from a kernel's own C++ type, so that no parameter list is ever parsed: the wrapper that
// runs its grid, and the metadata note that a real code object carries.
#include "metadata_note.h"

extern "C" {
/** What the runtime finds a kernel by; see hipModuleLoadData. */
struct HipOnCpuKernel {
  const char* name;
  void (*run)(void** arguments, const unsigned grid[3], const unsigned block[3],
              std::size_t sharedBytes);
  int argCount;
};
}

namespace millrace {

template <auto Kernel> struct KernelOf {
  static_assert(sizeof(Kernel) == 0, "a __global__ function returns void");
  static constexpr HipOnCpuKernel entry(const char*) { return {}; }
  static constexpr void describe(MessagePack&, const char*) {}
};

template <class... Parameters, void (*Kernel)(Parameters...)> class KernelOf<Kernel> {
  static_assert((std::is_trivially_copyable_v<Parameters> && ...),
                "arguments are copied byte by byte into the launch");

public:
  static constexpr HipOnCpuKernel entry(const char* name) {
    return {name, &run, int(sizeof...(Parameters))};
  }

  static constexpr void describe(MessagePack& note, const char* name) {
    note.map(5);
    note.text(".args"), note.array(sizeof...(Parameters));
    unsigned offset = 0;
    (argument<Parameters>(note, offset), ...);
    note.text(".kernarg_segment_align"), note.number(8);
    note.text(".kernarg_segment_size"), note.number((offset + 7) / 8 * 8);
    note.text(".name"), note.text(name);
    note.text(".symbol"), note.text(name, ".kd");
  }

private:
  template <class Parameter> static constexpr void argument(MessagePack& note, unsigned& offset) {
    offset = (offset + alignof(Parameter) - 1) / alignof(Parameter) * alignof(Parameter);
    note.map(3);
    note.text(".offset"), note.number(offset);
    note.text(".size"), note.number(sizeof(Parameter));
    note.text(".value_kind");
    note.text(std::is_pointer_v<Parameter> ? "global_buffer" : "by_value");
    offset += sizeof(Parameter);
  }

  static void run(void** arguments, const unsigned grid[3], const unsigned block[3], std::size_t) {
    gridDim = dim3(grid[0], grid[1], grid[2]);
    blockDim = dim3(block[0], block[1], block[2]);
    for (blockIdx.z = 0; blockIdx.z < grid[2]; ++blockIdx.z)
      for (blockIdx.y = 0; blockIdx.y < grid[1]; ++blockIdx.y)
        for (blockIdx.x = 0; blockIdx.x < grid[0]; ++blockIdx.x)
          runBlock(arguments, block, std::index_sequence_for<Parameters...>());
  }

  template <std::size_t... Index>
  static void runBlock([[maybe_unused]] void** arguments, const unsigned block[3],
                       std::index_sequence<Index...>) {
    for (threadIdx.z = 0; threadIdx.z < block[2]; ++threadIdx.z)
      for (threadIdx.y = 0; threadIdx.y < block[1]; ++threadIdx.y)
        for (threadIdx.x = 0; threadIdx.x < block[0]; ++threadIdx.x)
          Kernel(*static_cast<std::remove_cv_t<Parameters>*>(arguments[Index])...);
  }
};

} // namespace millrace
