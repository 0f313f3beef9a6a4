// Writes the note that describes the test's kernels, as an assembler file.
#include <cstdio>

#include "code_object.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string pointer = "global_buffer", value = "by_value";
  auto note = millrace::kernelNote({
      {"add", "add.kd", 28, {{0, 8, pointer}, {8, 8, pointer}, {16, 8, pointer}, {24, 4, value}}},
      {"put", "put.kd", 16, {{0, 1, value}, {8, 8, pointer}}},
      {"increment", "increment.kd", 8, {{0, 8, pointer}}},
  });
  std::FILE* out = std::fopen(argv[1], "w");
  if (out == nullptr) return 1;
  std::fputs(".section .note.amdgpu,\"a\",@note\n.balign 4\n", out);
  for (unsigned byte : note) std::fprintf(out, ".byte %u\n", byte);
  std::fputs(".section .note.GNU-stack,\"\",@progbits\n", out);
  return std::fclose(out);
}
