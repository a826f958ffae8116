// The file form of a package.
//
//   header, 64 bytes   magic (8) | format version u32 | sections u32 | file size u64 | checksum of the
//                      section table u64 | zero (24) | checksum of the 56 bytes before u64
//   section table      32 bytes a section: kind u32 | number u32 | offset u64 | size u64 | checksum u64
//   sections           each at the next multiple of 4096; between them zero bytes, behind the last nothing
//
// Everything is little endian. Checksums are FNV-1a, 64 bits (support/hash.h). Sections come in the order of
// SectionKind: one manifest, one debug table, one of constants, then one for each program's words, for each
// ELF object and for each device with a memory of its own, `number` counting from 0. Each integer in a
// section has a fixed width; a string or list is a u32 count and its elements. Reading never allocates more
// than the file can fill.
#pragma once

#include "daedalus/support/span.h"

#include <cstdint>
#include <string>
#include <vector>

namespace daedalus::package::format {

// The first byte is no text, the line ends and the end-of-file mark show a transfer that changed them.
constexpr uint8_t magic[8] = {0x89, 'D', 'A', 'E', '\r', '\n', 0x1a, '\n'};
constexpr uint32_t version = 4;
constexpr uint64_t headerBytes = 64;
constexpr uint64_t entryBytes = 32;
constexpr uint64_t alignment = 4096;

enum class SectionKind : uint32_t { Manifest = 1, Debug, Constants, Words, Object, Device };

struct Section {
  SectionKind kind = SectionKind::Manifest;
  uint32_t number = 0;
  uint64_t offset = 0, size = 0, checksum = 0;
};

inline uint64_t alignUp(uint64_t value) {
  return (value + alignment - 1) / alignment * alignment;
}

/// Appends little-endian values.
class Writer {
public:
  void u8(uint8_t value) { bytes.push_back(value); }
  void u32(uint32_t value) { put(value, 4); }
  void u64(uint64_t value) { put(value, 8); }
  void string(const std::string &text) {
    u32(static_cast<uint32_t>(text.size()));
    bytes.insert(bytes.end(), text.begin(), text.end());
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
class Reader {
public:
  explicit Reader(Span<const uint8_t> bytes) : bytes(bytes) {}

  uint8_t u8() { return static_cast<uint8_t>(get(1)); }
  uint32_t u32() { return static_cast<uint32_t>(get(4)); }
  uint64_t u64() { return get(8); }
  std::string string() {
    uint32_t size = count(1);
    std::string text(reinterpret_cast<const char *>(bytes.data()) + position, size);
    position += size;
    return text;
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

} // namespace daedalus::package::format
