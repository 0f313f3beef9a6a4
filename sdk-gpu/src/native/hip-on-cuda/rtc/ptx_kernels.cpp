#include "ptx_kernels.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace millrace {
namespace {

constexpr std::string_view blank = " \t\r\n";

// The number that follows a word in a declaration, or a default.
uint32_t numberAfter(std::string_view text, std::string_view word, uint32_t otherwise) {
  size_t at = text.find(word);
  if (at == std::string_view::npos) {
    return otherwise;
  }
  at = text.find_first_not_of(blank, at + word.size());
  uint32_t number = otherwise;
  if (at != std::string_view::npos) {
    std::from_chars(text.data() + at, text.data() + text.size(), number);
  }
  return number;
}

// Of ".u64", ".f32", ".b8": the bytes of one element.
uint32_t elementBytes(std::string_view declaration) {
  for (auto [bits, bytes] : {std::pair{"128", 16u}, {"64", 8u}, {"32", 4u}, {"16", 2u}, {"8", 1u}}) {
    for (char kind : {'u', 's', 'b', 'f'}) {
      std::string word = std::string(".") + kind + bits + " ";
      if (declaration.find(word) != std::string_view::npos) {
        return bytes;
      }
    }
  }
  return 0;
}

// One of ".param .u32 name", ".param .u64 .ptr .align 1 name", ".param .align 8 .b8 name[24]".
KernelArgument argumentOf(std::string_view declaration, uint32_t& offset) {
  bool pointer = declaration.find(".ptr") != std::string_view::npos;
  uint32_t element = elementBytes(declaration);
  uint32_t alignment = pointer ? element : numberAfter(declaration, ".align", element);
  KernelArgument argument;
  argument.size = element * numberAfter(declaration, "[", 1);
  argument.offset = (offset + alignment - 1) / alignment * alignment;
  argument.kind = pointer ? "global_buffer" : "by_value";
  offset = argument.offset + argument.size;
  return argument;
}

KernelDescription kernelOf(std::string_view name, std::string_view declarations) {
  KernelDescription kernel;
  kernel.name = name;
  kernel.symbol = kernel.name + ".kd";
  for (size_t at; (at = declarations.find(".param")) != std::string_view::npos;) {
    size_t end = std::min(declarations.find(','), declarations.size());
    kernel.arguments.push_back(argumentOf(declarations.substr(at, end - at), kernel.argumentBytes));
    declarations.remove_prefix(std::min(end + 1, declarations.size()));
  }
  return kernel;
}

}  // namespace

std::vector<KernelDescription> kernelsOf(std::string_view ptx) {
  constexpr std::string_view entry = ".entry ";
  std::vector<KernelDescription> kernels;
  for (size_t at; (at = ptx.find(entry)) != std::string_view::npos;) {
    ptx.remove_prefix(at + entry.size());
    size_t open = ptx.find_first_of("({\n");
    std::string_view name = ptx.substr(0, open);
    name = name.substr(0, name.find_first_of(blank));
    size_t close = open != std::string_view::npos && ptx[open] == '(' ? ptx.find(')', open) : open;
    if (open == std::string_view::npos || close == std::string_view::npos) {
      break;
    }
    kernels.push_back(kernelOf(name, close > open ? ptx.substr(open + 1, close - open - 1) : ""));
    ptx.remove_prefix(close);
  }
  return kernels;
}

void markPointers(std::vector<KernelDescription>& kernels, const std::vector<KernelDescription>& from) {
  for (KernelDescription& kernel : kernels) {
    auto same = std::find_if(from.begin(), from.end(), [&](auto& other) { return other.name == kernel.name; });
    if (same == from.end() || same->arguments.size() != kernel.arguments.size()) {
      continue;
    }
    for (size_t i = 0; i < kernel.arguments.size(); i++) {
      kernel.arguments[i].kind = same->arguments[i].kind;
    }
  }
}

}  // namespace millrace
