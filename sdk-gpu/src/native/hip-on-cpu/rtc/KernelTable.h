#pragma once

#include "KernelScanner.h"

#include <map>
#include <string>
#include <vector>

namespace millrace::rtc {

/**
 * The C++ text that ends a compiled program: its kernel table and its metadata note. Keys of the
 * map are name expressions, values the names that those kernels get in the table.
 */
std::string kernelTable(const std::vector<FoundKernel>& kernels,
                        const std::map<std::string, std::string>& expressions);

} // namespace millrace::rtc
