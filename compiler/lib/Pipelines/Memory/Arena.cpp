// See Arena.h.

#include "Arena.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <iterator>

namespace daedalus {

uint64_t Arena::allocate(uint64_t bytes, int64_t from, int64_t to) {
  while (!lives.empty() && lives.begin()->first < from) {
    release(lives.begin()->second.first, lives.begin()->second.second);
    lives.erase(lives.begin());
  }
  bytes = llvm::alignTo(bytes, 64);
  if (bytes == 0)
    return 0;
  auto gap = gaps.begin(); // the last one has no end
  while (gap->second - gap->first < bytes)
    ++gap;
  const auto [offset, end] = *gap;
  gaps.erase(gap);
  if (offset + bytes < end)
    gaps.emplace(offset + bytes, end);
  lives.emplace(to, std::pair(offset, offset + bytes));
  size = std::max(size, offset + bytes);
  return offset;
}

void Arena::release(uint64_t offset, uint64_t end) {
  auto behind = gaps.lower_bound(offset);
  if (behind != gaps.end() && behind->first == end) {
    end = behind->second;
    behind = gaps.erase(behind);
  }
  if (behind != gaps.begin() && std::prev(behind)->second == offset)
    std::prev(behind)->second = end;
  else
    gaps.emplace(offset, end);
}

} // namespace daedalus
