// See ObjectCache.h. A file is the digest of the object, then the object; its name begins as LLVM's pruning
// wants it.

#include "ObjectCache.h"

#include "daedalus/support/cache_folder.h"
#include "daedalus/support/file.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace daedalus::cpu {
namespace {

using Digest = BLAKE3Result<>;

Digest digestOf(StringRef bytes) {
  BLAKE3 hash;
  hash.update(bytes);
  return hash.final();
}

/// The program that compiles: another one may compile otherwise.
const std::string &compilerDigest() {
  static const std::string digest = [] {
    auto file = MemoryBuffer::getFile("/proc/self/exe", /*IsText=*/false, /*RequiresNullTerminator=*/false);
    return std::string(LLVM_VERSION_STRING " ") + (file ? utohexstr(xxh3_64bits((*file)->getBuffer())) : "");
  }();
  return digest;
}

} // namespace

std::string ObjectCache::keyOf(StringRef kernel, StringRef level) const {
  BLAKE3 hash;
  for (StringRef part : {StringRef(compilerDigest()), level, kernel}) {
    hash.update(part);
    hash.update(StringRef("\0", 1));
  }
  return toHex(hash.final(), /*LowerCase=*/true);
}

std::string ObjectCache::pathOf(const std::string &key) const {
  return folder + "/llvmcache-" + key;
}

std::optional<std::vector<char>> ObjectCache::find(const std::string &key) const {
  if (!isKept() || !isPrivateFile(pathOf(key)))
    return std::nullopt;
  auto file = MemoryBuffer::getFile(pathOf(key), /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file || (*file)->getBufferSize() < sizeof(Digest))
    return std::nullopt;
  const StringRef bytes = (*file)->getBuffer(), object = bytes.drop_front(sizeof(Digest));
  const Digest digest = digestOf(object);
  if (bytes.take_front(sizeof(Digest)) != toStringRef(digest))
    return std::nullopt;
  return std::vector<char>(object.begin(), object.end());
}

void ObjectCache::keep(const std::string &key, ArrayRef<char> object) const {
  if (!isKept() || !makePrivateFolder(folder))
    return;
  const Digest digest = digestOf(StringRef(object.data(), object.size()));
  std::vector<uint8_t> bytes(digest.begin(), digest.end());
  bytes.insert(bytes.end(), object.begin(), object.end());
  (void)writeFileAtomically(pathOf(key), bytes);
}

void ObjectCache::prune() const {
  if (!isKept())
    return;
  CachePruningPolicy policy;
  policy.MaxSizeBytes = uint64_t(512) << 20;
  pruneCache(folder, policy);
}

} // namespace daedalus::cpu
