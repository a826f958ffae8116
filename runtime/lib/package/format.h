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

#include "daedalus/support/byte_stream.h"

#include <cstdint>

namespace daedalus::package::format {

// The first byte is no text, the line ends and the end-of-file mark show a transfer that changed them.
constexpr uint8_t magic[8] = {0x89, 'D', 'A', 'E', '\r', '\n', 0x1a, '\n'};
constexpr uint32_t version = 6;
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

using Writer = ByteWriter;
using Reader = ByteReader;

} // namespace daedalus::package::format
