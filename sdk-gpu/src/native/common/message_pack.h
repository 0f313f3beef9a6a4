// As much of MessagePack as kernel descriptions need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

class MessagePackWriter {
 public:
  void map(uint32_t entries);
  void array(uint32_t elements);
  void text(std::string_view value);
  void number(uint64_t value);
  std::vector<uint8_t> take() { return std::move(bytes_); }

 private:
  void tag(uint8_t tag, uint64_t value, int width);
  std::vector<uint8_t> bytes_;
};

struct MessagePackError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Reads in document order; a value of an unexpected type, and the end inside a value, is a MessagePackError.
class MessagePackReader {
 public:
  explicit MessagePackReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  uint32_t map();
  uint32_t array();
  std::string_view text();
  uint64_t number();
  void skip();

 private:
  uint8_t byte();
  uint64_t bigEndian(int width);
  std::span<const uint8_t> take(size_t size);
  uint32_t count(uint8_t fixed, uint8_t fixedMask, uint8_t tag16);
  void skipPayload(uint8_t tag);
  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace millrace
