#include "cubin_section.h"

#include <elf.h>

#include <cstring>

namespace millrace {
namespace {

constexpr uint16_t amdgpuMachine = 224;
constexpr uint16_t cudaMachine = 190;
constexpr unsigned char amdHsa = 64;  // EI_OSABI of AMD's code objects
constexpr char sectionNames[] = "\0.note\0.cubin\0.shstrtab";
constexpr uint32_t noteName = 1;
constexpr uint32_t cubinName = 7;
constexpr uint32_t namesName = 14;

size_t aligned(size_t offset) { return (offset + 7) & ~size_t{7}; }

template <class Header>
void put(std::vector<uint8_t>& file, size_t offset, const Header& header) {
  memcpy(file.data() + offset, &header, sizeof header);
}

Elf64_Ehdr fileHeader(size_t sections) {
  Elf64_Ehdr header{};
  memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_ident[EI_OSABI] = amdHsa;
  header.e_type = ET_DYN;
  header.e_machine = amdgpuMachine;
  header.e_version = EV_CURRENT;
  header.e_phoff = sizeof header;
  header.e_shoff = sections;
  header.e_ehsize = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 1;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 4;
  header.e_shstrndx = 3;
  return header;
}

Elf64_Shdr section(uint32_t name, uint32_t type, size_t offset, size_t size) {
  Elf64_Shdr header{};
  header.sh_name = name;
  header.sh_type = type;
  header.sh_offset = offset;
  header.sh_size = size;
  header.sh_addralign = type == SHT_STRTAB ? 1 : type == SHT_NOTE ? 4 : 8;
  return header;
}

}  // namespace

std::vector<uint8_t> wrapCubin(std::span<const uint8_t> note, std::span<const uint8_t> cubin) {
  size_t noteAt = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr);
  size_t cubinAt = aligned(noteAt + note.size());
  size_t namesAt = cubinAt + cubin.size();
  size_t sectionsAt = aligned(namesAt + sizeof sectionNames);
  std::vector<uint8_t> file(sectionsAt + 4 * sizeof(Elf64_Shdr));

  Elf64_Phdr segment{};
  segment.p_type = PT_NOTE;
  segment.p_flags = PF_R;
  segment.p_offset = noteAt;
  segment.p_filesz = segment.p_memsz = note.size();
  segment.p_align = 4;
  put(file, 0, fileHeader(sectionsAt));
  put(file, sizeof(Elf64_Ehdr), segment);
  memcpy(file.data() + noteAt, note.data(), note.size());
  memcpy(file.data() + cubinAt, cubin.data(), cubin.size());
  memcpy(file.data() + namesAt, sectionNames, sizeof sectionNames);
  put(file, sectionsAt + sizeof(Elf64_Shdr), section(noteName, SHT_NOTE, noteAt, note.size()));
  put(file, sectionsAt + 2 * sizeof(Elf64_Shdr), section(cubinName, SHT_PROGBITS, cubinAt, cubin.size()));
  put(file, sectionsAt + 3 * sizeof(Elf64_Shdr), section(namesName, SHT_STRTAB, namesAt, sizeof sectionNames));
  return file;
}

const void* cubinIn(const void* image) {
  auto* bytes = static_cast<const char*>(image);
  if (memcmp(bytes, ELFMAG, SELFMAG) != 0) {
    return strncmp(bytes, "//", 2) == 0 || strncmp(bytes, ".version", 8) == 0 ? image : nullptr;
  }
  Elf64_Ehdr header;
  memcpy(&header, bytes, sizeof header);
  if (header.e_machine == cudaMachine) {
    return image;
  }
  if (header.e_machine != amdgpuMachine || header.e_shnum != 4) {
    return nullptr;
  }
  Elf64_Shdr cubin;
  memcpy(&cubin, bytes + header.e_shoff + 2 * sizeof cubin, sizeof cubin);
  bool ours = cubin.sh_name == cubinName && cubin.sh_type == SHT_PROGBITS &&
              memcmp(bytes + cubin.sh_offset, ELFMAG, SELFMAG) == 0;
  return ours ? bytes + cubin.sh_offset : nullptr;
}

}  // namespace millrace
