#include "Traffic.h"

#include <algorithm>

namespace daedalus::cuda {
namespace {

constexpr unsigned banks = 32;

/// The words that are accessed of the bank of which they are most.
unsigned mostOfOneBank(std::vector<uint64_t> words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::array<unsigned, banks> counts = {};
  for (uint64_t word : words)
    ++counts[word % banks];
  return *std::max_element(counts.begin(), counts.end());
}

/// Whether no bank is asked for two words: most accesses.
bool isWithoutConflict(const std::array<uint64_t, warpSize> &words, unsigned count) {
  std::array<uint64_t, banks> asked;
  asked.fill(~uint64_t(0));
  for (unsigned index = 0; index < count; ++index) {
    uint64_t &word = asked[words[index] % banks];
    if (word != ~uint64_t(0) && word != words[index])
      return false;
    word = words[index];
  }
  return true;
}

unsigned wavefrontsOfGroup(const Addresses &addresses, uint32_t lanes, uint32_t bytes) {
  const unsigned wordsEach = std::max(1u, bytes / 4);
  std::array<uint64_t, warpSize> words;
  unsigned count = 0;
  for (uint32_t rest = lanes; rest; rest &= rest - 1)
    for (unsigned word = 0; word < wordsEach; ++word)
      words[count++] = addresses[__builtin_ctz(rest)] / 4 + word;
  return isWithoutConflict(words, count) ? 1 : mostOfOneBank({words.begin(), words.begin() + count});
}

} // namespace

unsigned sectorsOf(const Addresses &addresses, uint32_t lanes, uint32_t bytes) {
  std::array<uint64_t, 2 * warpSize> sectors;
  unsigned count = 0;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const uint64_t address = addresses[__builtin_ctz(rest)];
    for (uint64_t sector = address / 32; sector <= (address + bytes - 1) / 32; ++sector)
      if (!count || (sectors[count - 1] != sector &&
                     std::find(sectors.begin(), sectors.begin() + count, sector) == sectors.begin() + count))
        sectors[count++] = sector;
  }
  return count;
}

Wavefronts wavefrontsOf(const Addresses &addresses, uint32_t lanes, uint32_t bytes) {
  const unsigned groups = bytes <= 4 ? 1 : bytes <= 8 ? 2 : 4, size = warpSize / groups;
  const uint32_t group = groups == 1 ? allLanes : (uint32_t(1) << size) - 1;
  Wavefronts found;
  for (unsigned first = 0; first < warpSize; first += size)
    if (const uint32_t its = lanes & group << first) {
      found.needed += wavefrontsOfGroup(addresses, its, bytes);
      ++found.least;
    }
  return found;
}

} // namespace daedalus::cuda
