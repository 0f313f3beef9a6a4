// Code objects carry the description of their kernels in an ELF note, as those of AMD's compiler do: owner "AMDGPU",
// type 32, a MessagePack map with "amdhsa.kernels". One writer and one reader for both stand-ins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace millrace {

struct KernelArgument {
  uint32_t offset = 0;  // in the kernel's argument block
  uint32_t size = 0;    // bytes
  std::string kind;     // "global_buffer", "by_value", or one of the "hidden_…" ones of real code objects
};

struct KernelDescription {
  std::string name;
  std::string symbol;          // "name.kd" in real code objects
  uint32_t argumentBytes = 0;  // .kernarg_segment_size
  std::vector<KernelArgument> arguments;
};

// The note's description: the MessagePack map.
std::vector<uint8_t> encodeKernels(const std::vector<KernelDescription>& kernels);

// The whole note (header, owner, description, padding), as it lies in a section or segment of type PT_NOTE.
std::vector<uint8_t> kernelNote(const std::vector<KernelDescription>& kernels);

// Length of the 64-bit little-endian ELF file that starts here, from its own headers; nothing if it is none.
std::optional<size_t> elfSize(const void* image);

// True if the ELF file is for AMD's GPUs (e_machine 224).
bool isAmdgpuElf(const void* image);

// The kernels of the note; nothing if the file has no such note or it cannot be read.
std::optional<std::vector<KernelDescription>> readKernels(std::span<const uint8_t> elf);

}  // namespace millrace
