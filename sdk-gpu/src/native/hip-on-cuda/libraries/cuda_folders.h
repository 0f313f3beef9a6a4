// Where CUDA's libraries and headers lie: the folders of HIP_ON_CUDA_LIBS, the toolkit's, those of Python
// wheels, and the loader's own.
#pragma once

#include <string>
#include <vector>

namespace millrace {

// The library, with what matches the given patterns in its folder loaded before it (it finds those by name only if they
// are loaded already); null if there is none.
void* openCudaLibrary(const std::string& name, const std::vector<std::string>& needed);

// A folder with cuda_fp16.h, or "".
std::string cudaIncludeFolder();

}  // namespace millrace
