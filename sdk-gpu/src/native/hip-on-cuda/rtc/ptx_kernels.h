// The kernels of a PTX text and the layout of their arguments.
#pragma once

#include <string_view>
#include <vector>

#include "code_object.h"

namespace millrace {

std::vector<KernelDescription> kernelsOf(std::string_view ptx);

// Takes over which arguments are pointers, from the same source compiled for another architecture.
void markPointers(std::vector<KernelDescription>& kernels, const std::vector<KernelDescription>& from);

}  // namespace millrace
