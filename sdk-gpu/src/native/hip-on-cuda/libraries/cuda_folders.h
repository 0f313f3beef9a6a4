// Where CUDA's libraries and headers lie: the folders of HIP_ON_CUDA_LIBS, the loader's own, the toolkit's, and those
// of Python wheels.
#pragma once

#include <string>
#include <vector>

namespace millrace {

// The library, with the given ones loaded before it (they are found by name only afterwards); null if there is none.
void* openCudaLibrary(const std::string& name, const std::vector<std::string>& needed);

// A folder with cuda_fp16.h, or "".
std::string cudaIncludeFolder();

}  // namespace millrace
