#include "message_pack.h"

namespace millrace {

void MessagePackWriter::tag(uint8_t tag, uint64_t value, int width) {
  bytes_.push_back(tag);
  for (int shift = (width - 1) * 8; shift >= 0; shift -= 8) bytes_.push_back(static_cast<uint8_t>(value >> shift));
}

void MessagePackWriter::map(uint32_t entries) {
  if (entries < 16) return bytes_.push_back(static_cast<uint8_t>(0x80 | entries));
  tag(0xdf, entries, 4);
}

void MessagePackWriter::array(uint32_t elements) {
  if (elements < 16) return bytes_.push_back(static_cast<uint8_t>(0x90 | elements));
  tag(0xdd, elements, 4);
}

void MessagePackWriter::text(std::string_view value) {
  if (value.size() < 32) {
    bytes_.push_back(static_cast<uint8_t>(0xa0 | value.size()));
  } else {
    tag(0xdb, value.size(), 4);
  }
  bytes_.insert(bytes_.end(), value.begin(), value.end());
}

void MessagePackWriter::number(uint64_t value) {
  if (value < 128) return bytes_.push_back(static_cast<uint8_t>(value));
  if (value <= 0xffffffff) return tag(0xce, value, 4);
  tag(0xcf, value, 8);
}

uint8_t MessagePackReader::byte() { return take(1)[0]; }

std::span<const uint8_t> MessagePackReader::take(size_t size) {
  if (size > bytes_.size() - at_) throw MessagePackError("the text ends inside a value");
  auto taken = bytes_.subspan(at_, size);
  at_ += size;
  return taken;
}

uint64_t MessagePackReader::bigEndian(int width) {
  uint64_t value = 0;
  for (uint8_t b : take(width)) value = value << 8 | b;
  return value;
}

uint32_t MessagePackReader::count(uint8_t fixed, uint8_t fixedMask, uint8_t tag16) {
  uint8_t tag = byte();
  if ((tag & fixedMask) == fixed) return tag & ~fixedMask & 0xff;
  if (tag == tag16) return static_cast<uint32_t>(bigEndian(2));
  if (tag == tag16 + 1) return static_cast<uint32_t>(bigEndian(4));
  throw MessagePackError("a map or an array was expected");
}

uint32_t MessagePackReader::map() { return count(0x80, 0xf0, 0xde); }

uint32_t MessagePackReader::array() { return count(0x90, 0xf0, 0xdc); }

std::string_view MessagePackReader::text() {
  uint8_t tag = byte();
  size_t size;
  if ((tag & 0xe0) == 0xa0) {
    size = tag & 0x1f;
  } else if (tag >= 0xd9 && tag <= 0xdb) {
    size = bigEndian(1 << (tag - 0xd9));
  } else {
    throw MessagePackError("a text was expected");
  }
  auto taken = take(size);
  return {reinterpret_cast<const char*>(taken.data()), taken.size()};
}

uint64_t MessagePackReader::number() {
  uint8_t tag = byte();
  if (tag < 0x80) return tag;
  if (tag >= 0xcc && tag <= 0xcf) return bigEndian(1 << (tag - 0xcc));
  throw MessagePackError("a number was expected");
}

void MessagePackReader::skip() {
  if (++depth_ > 64) throw MessagePackError("nested too deep");
  skipPayload(byte());
  --depth_;
}

void MessagePackReader::skipPayload(uint8_t tag) {
  auto skipMany = [this](uint64_t values) {
    while (values-- > 0) skip();
  };
  if (tag < 0x80 || tag >= 0xe0 || (tag >= 0xc0 && tag <= 0xc3)) return;
  if (tag < 0x90) return skipMany(2 * (tag & 0xf));
  if (tag < 0xa0) return skipMany(tag & 0xf);
  if (tag < 0xc0) return void(take(tag & 0x1f));
  switch (tag) {
    case 0xc4:
    case 0xc5:
    case 0xc6:
      return void(take(bigEndian(1 << (tag - 0xc4))));
    case 0xc7:
    case 0xc8:
    case 0xc9:
      return void(take(bigEndian(1 << (tag - 0xc7)) + 1));
    case 0xca:
    case 0xce:
    case 0xd2:
      return void(take(4));
    case 0xcb:
    case 0xcf:
    case 0xd3:
      return void(take(8));
    case 0xcc:
    case 0xd0:
      return void(take(1));
    case 0xcd:
    case 0xd1:
      return void(take(2));
    case 0xd4:
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8:
      return void(take((1u << (tag - 0xd4)) + 1));
    case 0xd9:
    case 0xda:
    case 0xdb:
      return void(take(bigEndian(1 << (tag - 0xd9))));
    case 0xdc:
    case 0xdd:
      return skipMany(bigEndian(2 << (tag - 0xdc)));
    case 0xde:
    case 0xdf:
      return skipMany(2 * bigEndian(2 << (tag - 0xde)));
  }
}

}  // namespace millrace
