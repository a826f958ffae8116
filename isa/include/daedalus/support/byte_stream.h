// Numbers, texts and lists as bytes: little endian, each integer of a fixed width, a text or list as a u32
// count and its elements.
#pragma once

#include "daedalus/support/span.h"

#include <cstdint>
#include <string>
#include <vector>

namespace daedalus {

class ByteWriter {
public:
  void u8(uint8_t value) { bytes.push_back(value); }
  void u32(uint32_t value) { put(value, 4); }
  void u64(uint64_t value) { put(value, 8); }
  void string(const std::string &text) {
    u32(static_cast<uint32_t>(text.size()));
    bytes.insert(bytes.end(), text.begin(), text.end());
  }
  void block(const std::vector<uint8_t> &block) {
    u32(static_cast<uint32_t>(block.size()));
    bytes.insert(bytes.end(), block.begin(), block.end());
  }
  template <class T, class F> void list(const T &items, F writeItem) {
    u32(static_cast<uint32_t>(items.size()));
    for (const auto &item : items)
      writeItem(item);
  }

  std::vector<uint8_t> bytes;

private:
  void put(uint64_t value, int count) {
    for (int i = 0; i < count; ++i)
      bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
  }
};

/// Reads them back. A read past the end gives zero and makes the reader fail for good: ask ok() at the end.
class ByteReader {
public:
  explicit ByteReader(Span<const uint8_t> bytes) : bytes(bytes) {}

  uint8_t u8() { return static_cast<uint8_t>(get(1)); }
  uint32_t u32() { return static_cast<uint32_t>(get(4)); }
  uint64_t u64() { return get(8); }
  std::string string() {
    uint32_t size = count(1);
    std::string text(reinterpret_cast<const char *>(bytes.data()) + position, size);
    position += size;
    return text;
  }
  std::vector<uint8_t> block() {
    const uint32_t size = count(1);
    std::vector<uint8_t> block(bytes.begin() + position, bytes.begin() + position + size);
    position += size;
    return block;
  }
  /// A list whose elements take at least `least` bytes each.
  template <class T, class F> std::vector<T> list(uint64_t least, F readItem) {
    std::vector<T> items(count(least));
    for (T &item : items)
      item = readItem();
    return items;
  }
  void fail() { failed = true, position = bytes.size(); }
  /// Nothing failed and nothing is left.
  bool ok() const { return !failed && position == bytes.size(); }

private:
  uint64_t get(uint64_t size) {
    if (bytes.size() - position < size)
      return fail(), 0;
    uint64_t value = 0;
    for (uint64_t i = 0; i < size; ++i)
      value |= static_cast<uint64_t>(bytes[position + i]) << (8 * i);
    position += size;
    return value;
  }
  uint32_t count(uint64_t least) {
    uint32_t value = u32();
    if (value > (bytes.size() - position) / least)
      return fail(), 0;
    return value;
  }

  Span<const uint8_t> bytes;
  uint64_t position = 0;
  bool failed = false;
};

} // namespace daedalus
