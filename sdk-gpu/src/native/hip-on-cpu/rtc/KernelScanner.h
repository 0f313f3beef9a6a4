#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace millrace::rtc {

/** A kernel that can be found by its plain name. */
struct FoundKernel {
  std::string name;
  /** Its name for C++ code at the end of the file, such as "::space::name". */
  std::string qualified;

  bool operator==(const FoundKernel&) const = default;
};

/** The word that stands for __global__ in preprocessed text. */
inline constexpr std::string_view kernelMarker = "__millrace_kernel__";

/**
 * The extern "C" kernels that this preprocessed C++ text defines, in order. Only names are read
 * here: what a kernel's arguments are is asked of the compiler.
 */
std::vector<FoundKernel> findKernels(std::string_view preprocessed);

} // namespace millrace::rtc
