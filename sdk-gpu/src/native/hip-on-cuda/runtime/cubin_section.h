// CUDA's machine code inside a code object that looks like one of AMD's: an ELF file for machine 224 with the kernels'
// description as its note, and the cubin in a section of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace {

// The whole file.
std::vector<uint8_t> wrapCubin(std::span<const uint8_t> note, std::span<const uint8_t> cubin);

// The cubin in such a file, or the image itself if it is a bare cubin or PTX text; null if it is anything else.
const void* cubinIn(const void* image);

}  // namespace millrace
