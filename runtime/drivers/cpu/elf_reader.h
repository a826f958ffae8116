// The parts of readElf: segments (elf_segments.cpp), then the dynamic section through them (elf_dynamic.cpp).
#pragma once

#include "elf_image.h"

#include <cstring>
#include <elf.h>
#include <map>
#include <optional>

namespace daedalus::runtime::cpu {

constexpr uint64_t mostElfBytes = uint64_t(1) << 32; // of an address or size: sums cannot overflow

template <class T> std::optional<T> elfRecord(Span<const uint8_t> bytes, uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
    return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

class SegmentReader {
public:
  SegmentReader(Span<const uint8_t> bytes, uint64_t pageBytes) : bytes(bytes), pageBytes(pageBytes) {}

  /// Header and program headers; fills the segments of `image`.
  Result<void> read();

  ElfImage image;
  Elf64_Ehdr header{};
  Elf64_Phdr dynamic{};

private:
  Result<void> readHeader();
  Result<void> readLoad(const Elf64_Phdr &load);
  Result<void> readOther(const Elf64_Phdr &other);
  Result<void> checkInside(const Elf64_Phdr &part, bool writable = 0) const;

  Span<const uint8_t> bytes;
  const uint64_t pageBytes;
  std::vector<Elf64_Phdr> loads, others;
};

class DynamicReader {
public:
  DynamicReader(Span<const uint8_t> bytes, const SegmentReader &segments, ElfImage &image)
      : bytes(bytes), segments(segments), image(image) {}

  /// Symbols and relocations; fills those of `image`.
  Result<void> read();

private:
  Result<void> readTags();
  Result<void> checkTag(const Elf64_Dyn &entry);
  Result<void> checkValues() const;
  Result<void> readSymbols();
  Result<void> readSymbol(const Elf64_Sym &symbol);
  Result<std::string> nameOf(const Elf64_Sym &symbol) const;
  Result<void> readRelocations(int64_t table, int64_t size);
  Result<void> readRelocation(const Elf64_Rela &relocation);

  uint64_t tag(int64_t which) const { return tags.count(which) ? tags.at(which) : 0; }
  const ElfSegment *segmentOf(uint64_t address, uint64_t size) const;
  /// Where the file holds these bytes of memory.
  std::optional<uint64_t> fileOffset(uint64_t address, uint64_t size) const;

  Span<const uint8_t> bytes;
  const SegmentReader &segments;
  ElfImage &image;
  std::map<int64_t, uint64_t> tags;
  std::vector<uint64_t> symbols; ///< their addresses
};

} // namespace daedalus::runtime::cpu
