// Objects of kernels that were compiled before, in a folder of the user's.

#ifndef DAEDALUS_LIB_TARGET_CPU_OBJECTCACHE_H
#define DAEDALUS_LIB_TARGET_CPU_OBJECTCACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::cpu {

/// A file an object, by the digest of what it was compiled of: the kernel's text, the level, this compiler
/// and LLVM. What cannot be read, is not what was written, or lies where others may write is compiled again;
/// what cannot be written is not kept.
class ObjectCache {
public:
  /// Without a folder nothing is found and nothing is kept. It is made when the first object is.
  explicit ObjectCache(std::string folder) : folder(std::move(folder)) {}

  bool isKept() const { return !folder.empty(); }
  std::string keyOf(llvm::StringRef kernel, llvm::StringRef level) const;
  std::optional<std::vector<char>> find(const std::string &key) const;
  void keep(const std::string &key, llvm::ArrayRef<char> object) const;
  /// Deletes objects that nobody read for a week, and the oldest where they are more than 512 MiB.
  void prune() const;

private:
  std::string pathOf(const std::string &key) const;

  const std::string folder;
};

} // namespace daedalus::cpu

#endif
