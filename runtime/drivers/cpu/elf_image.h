// A kernel object, read from its bytes into what loading it takes. The loader (loaded_code.h) maps from this
// value alone, so what is checked here is what is loaded.
#pragma once

#include "daedalus/support/result.h"
#include "daedalus/support/span.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace daedalus::runtime::cpu {

/// Bytes of the file that become memory; behind `fileBytes` come zeros. Addresses count from the start of the
/// image.
struct ElfSegment {
  uint64_t address = 0, memoryBytes = 0;
  uint64_t offset = 0, fileBytes = 0; // in the file
  bool writable = false, executable = false;
};

/// The 8 bytes at `address` become the address of `target`.
struct ElfRelocation {
  uint64_t address = 0, target = 0;
};

struct ElfImage {
  uint64_t bytes = 0;                        // of memory, from the image's start
  std::vector<ElfSegment> segments;          // ascending; no two share a page
  std::vector<ElfRelocation> relocations;    // all in writable segments
  uint64_t fixedFrom = 0, fixedTo = 0;       // writable for the relocations alone (PT_GNU_RELRO); empty: none
  std::map<std::string, uint64_t> functions; // by name; each lies in an executable segment
};

/// Accepts a freestanding ELF64 little-endian shared object for x86-64 or AArch64 whose tables agree with
/// each other: PT_LOAD segments that lie in the file in the order of their addresses, on pages of `pageBytes`
/// of their own and none both writable and executable; everything else that a program header or the dynamic
/// section names inside of them; no tags, relocations or symbols but those that constants and functions of
/// the object itself need. The error is a clause: "has a segment that is writable and executable".
Result<ElfImage> readElf(Span<const uint8_t> bytes, uint64_t pageBytes = 4096);

} // namespace daedalus::runtime::cpu
