#include "code_object.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "message_pack.h"

namespace millrace {
namespace {

constexpr char kOwner[8] = "AMDGPU\0";  // seven bytes with its end, padded to eight
constexpr uint32_t kOwnerSize = 7;
constexpr uint32_t kMetadataType = 32;
constexpr uint16_t kAmdgpuMachine = 224;

uint32_t padded(uint32_t size) { return (size + 3) & ~3u; }

void encodeArgument(MessagePackWriter& out, const KernelArgument& argument) {
  out.map(3);
  out.text(".offset");
  out.number(argument.offset);
  out.text(".size");
  out.number(argument.size);
  out.text(".value_kind");
  out.text(argument.kind);
}

void encodeKernel(MessagePackWriter& out, const KernelDescription& kernel) {
  out.map(4);
  out.text(".args");
  out.array(static_cast<uint32_t>(kernel.arguments.size()));
  for (const auto& argument : kernel.arguments) encodeArgument(out, argument);
  out.text(".kernarg_segment_size");
  out.number(kernel.argumentBytes);
  out.text(".name");
  out.text(kernel.name);
  out.text(".symbol");
  out.text(kernel.symbol);
}

KernelArgument decodeArgument(MessagePackReader& in) {
  KernelArgument argument;
  for (uint32_t left = in.map(); left > 0; --left) {
    auto key = in.text();
    if (key == ".offset") {
      argument.offset = static_cast<uint32_t>(in.number());
    } else if (key == ".size") {
      argument.size = static_cast<uint32_t>(in.number());
    } else if (key == ".value_kind") {
      argument.kind = in.text();
    } else {
      in.skip();
    }
  }
  return argument;
}

KernelDescription decodeKernel(MessagePackReader& in) {
  KernelDescription kernel;
  for (uint32_t left = in.map(); left > 0; --left) {
    auto key = in.text();
    if (key == ".name") {
      kernel.name = in.text();
    } else if (key == ".symbol") {
      kernel.symbol = in.text();
    } else if (key == ".kernarg_segment_size") {
      kernel.argumentBytes = static_cast<uint32_t>(in.number());
    } else if (key == ".args") {
      for (uint32_t n = in.array(); n > 0; --n) kernel.arguments.push_back(decodeArgument(in));
    } else {
      in.skip();
    }
  }
  return kernel;
}

std::vector<KernelDescription> decodeKernels(std::span<const uint8_t> description) {
  MessagePackReader in(description);
  std::vector<KernelDescription> kernels;
  for (uint32_t left = in.map(); left > 0; --left) {
    if (in.text() != "amdhsa.kernels") {
      in.skip();
      continue;
    }
    for (uint32_t n = in.array(); n > 0; --n) kernels.push_back(decodeKernel(in));
  }
  return kernels;
}

std::optional<std::span<const uint8_t>> metadataIn(std::span<const uint8_t> notes) {
  size_t at = 0;
  while (at + sizeof(Elf64_Nhdr) <= notes.size()) {
    Elf64_Nhdr header;
    std::memcpy(&header, notes.data() + at, sizeof header);
    size_t owner = at + sizeof header;
    size_t description = owner + padded(header.n_namesz);
    if (header.n_namesz > notes.size() || header.n_descsz > notes.size()) return {};
    if (description + header.n_descsz > notes.size()) return {};
    if (header.n_type == kMetadataType && header.n_namesz == kOwnerSize &&
        std::memcmp(notes.data() + owner, kOwner, kOwnerSize) == 0) {
      return notes.subspan(description, header.n_descsz);
    }
    at = description + padded(header.n_descsz);
  }
  return {};
}

bool isElf(const void* image) {
  const auto* ident = static_cast<const unsigned char*>(image);
  return std::memcmp(ident, ELFMAG, SELFMAG) == 0 && ident[EI_CLASS] == ELFCLASS64 && ident[EI_DATA] == ELFDATA2LSB;
}

// Headers of a file that may lie anywhere in memory.
template <typename T>
T at(const void* image, uint64_t offset) {
  T value;
  std::memcpy(&value, static_cast<const char*>(image) + offset, sizeof value);
  return value;
}

std::optional<std::span<const uint8_t>> part(std::span<const uint8_t> elf, uint64_t offset, uint64_t size) {
  if (offset > elf.size() || size > elf.size() - offset) return {};
  return elf.subspan(offset, size);
}

std::optional<std::span<const uint8_t>> metadataByHeaders(std::span<const uint8_t> elf) {
  auto header = at<Elf64_Ehdr>(elf.data(), 0);
  auto search = [&](uint64_t offset, uint64_t size) -> std::optional<std::span<const uint8_t>> {
    auto notes = part(elf, offset, size);
    return notes ? metadataIn(*notes) : std::nullopt;
  };
  for (int i = 0; i < header.e_phnum; ++i) {
    if (!part(elf, header.e_phoff + i * sizeof(Elf64_Phdr), sizeof(Elf64_Phdr))) break;
    auto segment = at<Elf64_Phdr>(elf.data(), header.e_phoff + i * sizeof(Elf64_Phdr));
    if (segment.p_type != PT_NOTE) continue;
    if (auto found = search(segment.p_offset, segment.p_filesz)) return found;
  }
  for (int i = 0; i < header.e_shnum; ++i) {
    if (!part(elf, header.e_shoff + i * sizeof(Elf64_Shdr), sizeof(Elf64_Shdr))) break;
    auto section = at<Elf64_Shdr>(elf.data(), header.e_shoff + i * sizeof(Elf64_Shdr));
    if (section.sh_type != SHT_NOTE) continue;
    if (auto found = search(section.sh_offset, section.sh_size)) return found;
  }
  return {};
}

}  // namespace

std::vector<uint8_t> encodeKernels(const std::vector<KernelDescription>& kernels) {
  MessagePackWriter out;
  out.map(1);
  out.text("amdhsa.kernels");
  out.array(static_cast<uint32_t>(kernels.size()));
  for (const auto& kernel : kernels) encodeKernel(out, kernel);
  return out.take();
}

std::vector<uint8_t> kernelNote(const std::vector<KernelDescription>& kernels) {
  auto description = encodeKernels(kernels);
  Elf64_Nhdr header{kOwnerSize, static_cast<uint32_t>(description.size()), kMetadataType};
  std::vector<uint8_t> note(sizeof header + sizeof kOwner + padded(header.n_descsz));
  std::memcpy(note.data(), &header, sizeof header);
  std::memcpy(note.data() + sizeof header, kOwner, sizeof kOwner);
  std::copy(description.begin(), description.end(), note.begin() + sizeof header + sizeof kOwner);
  return note;
}

std::optional<size_t> elfSize(const void* image) {
  if (!isElf(image)) return {};
  auto header = at<Elf64_Ehdr>(image, 0);
  uint64_t end = std::max<uint64_t>(sizeof header, header.e_shoff + uint64_t{header.e_shnum} * sizeof(Elf64_Shdr));
  for (int i = 0; i < header.e_phnum; ++i) {
    auto segment = at<Elf64_Phdr>(image, header.e_phoff + i * sizeof(Elf64_Phdr));
    end = std::max<uint64_t>(end, segment.p_offset + segment.p_filesz);
  }
  for (int i = 0; i < header.e_shnum; ++i) {
    auto section = at<Elf64_Shdr>(image, header.e_shoff + i * sizeof(Elf64_Shdr));
    if (section.sh_type != SHT_NOBITS) end = std::max<uint64_t>(end, section.sh_offset + section.sh_size);
  }
  return end;
}

bool isAmdgpuElf(const void* image) { return isElf(image) && at<Elf64_Ehdr>(image, 0).e_machine == kAmdgpuMachine; }

std::optional<std::vector<KernelDescription>> readKernels(std::span<const uint8_t> elf) {
  if (elf.size() < sizeof(Elf64_Ehdr) || !isElf(elf.data())) return {};
  auto description = metadataByHeaders(elf);
  if (!description) return {};
  try {
    return decodeKernels(*description);
  } catch (const MessagePackError&) {
    return {};
  }
}

}  // namespace millrace
