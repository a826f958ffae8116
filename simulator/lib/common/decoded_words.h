// What a device has decoded of its programs, so that another run of one need not: a word counts only while it
// is the one in DRAM.
#pragma once

#include "daedalus/isa/encoding.h"

#include <cstring>
#include <vector>

namespace daedalus::sim {

class DecodedWords {
public:
  /// The instruction of the word (64 bytes), kept at that index of a program; nullptr where none is, or
  /// another's.
  const isa::Instruction *find(uint32_t index, const uint8_t *word) const {
    if (index >= entries.size() || !entries[index].isKept ||
        std::memcmp(entries[index].word.data(), word, isa::InstructionBytes) != 0)
      return nullptr;
    return &entries[index].instruction;
  }

  void keep(uint32_t index, const uint8_t *word, const isa::Instruction &instruction) {
    if (index >= Most)
      return;
    if (index >= entries.size())
      entries.resize(index + 1);
    Entry &entry = entries[index];
    std::memcpy(entry.word.data(), word, isa::InstructionBytes);
    entry.instruction = instruction;
    entry.isKept = true;
  }

  static constexpr uint32_t Most = 8192; ///< words that are kept: about 1 MB

private:
  struct Entry {
    isa::InstructionWord word;
    isa::Instruction instruction;
    bool isKept = false;
  };
  std::vector<Entry> entries;
};

} // namespace daedalus::sim
