// See DidYouMean.h.

#include "daedalus/Target/DidYouMean.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <utility>

namespace daedalus {

std::string didYouMean(llvm::StringRef name, llvm::ArrayRef<std::string> known) {
  constexpr size_t longest = 64; // of a name that somebody types
  if (name.empty() || name.size() > longest)
    return "";
  const std::string *nearest = nullptr;
  std::pair<size_t, size_t> least = {(name.size() + 2) / 3 + 1, 0}; // changes, and how far lengths are apart
  for (const std::string &candidate : known) {
    const size_t changes = name.edit_distance(candidate, /*AllowReplacements=*/true, least.first);
    const size_t apart = std::max(name.size(), candidate.size()) - std::min(name.size(), candidate.size());
    if (std::pair(changes, apart) < least && changes < candidate.size()) {
      least = {changes, apart};
      nearest = &candidate;
    }
  }
  return nearest ? " (did you mean '" + *nearest + "'?)" : "";
}

std::string listOf(llvm::ArrayRef<std::string> names) {
  if (names.size() < 2)
    return llvm::join(names, "");
  return llvm::join(names.drop_back(), ", ") + " or " + names.back();
}

} // namespace daedalus
