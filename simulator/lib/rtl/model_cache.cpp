// Seals are FNV-1a over the shared object; locks are flock on the folder itself, which a dead process cannot
// hold.
#include "rtl/model_cache.h"

#include "daedalus/support/cache_folder.h"
#include "daedalus/support/file.h"
#include "daedalus/support/hash.h"
#include "daedalus/support/temporaries.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace daedalus::sim::rtl {
namespace fs = std::filesystem;
namespace {

constexpr char SealMagic[] = "DAERTL1\n";
constexpr size_t MagicBytes = sizeof SealMagic - 1, SealBytes = MagicBytes + 8;

/// The whole file; nothing where it cannot be read. (It is no input of the user's: not by
/// daedalus::readFile.)
std::vector<uint8_t> bytesOf(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  return std::vector<uint8_t>(std::istreambuf_iterator<char>(in), {});
}

std::vector<uint8_t> sealOf(Span<const uint8_t> bytes) {
  const uint64_t hash = fnv1a(bytes);
  std::vector<uint8_t> seal(SealMagic, SealMagic + MagicBytes);
  for (unsigned i = 0; i < 8; ++i)
    seal.push_back(static_cast<uint8_t>(hash >> (8 * i)));
  return seal;
}

/// Removes the build folders whose processes are gone.
void removeStale(const fs::path &cache) {
  std::error_code none;
  for (const auto &entry : fs::directory_iterator(cache, none)) {
    if (entry.path().extension() != ".build")
      continue;
    const int descriptor = open(entry.path().c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0)
      continue;
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0)
      removeTree(entry.path().string());
    close(descriptor);
  }
}

/// Waits for the lock, in which a signal may end us; whether the folder is still the one at its path.
bool acquire(int descriptor, const fs::path &path, const std::function<void()> &busy,
             std::unique_ptr<SignalsHeld> &held) {
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    held.reset();
    busy();
    while (flock(descriptor, LOCK_EX) != 0 && errno == EINTR)
      continue;
    held = std::make_unique<SignalsHeld>();
  }
  struct stat mine {
  }, there{};
  return fstat(descriptor, &mine) == 0 && lstat(path.c_str(), &there) == 0 && mine.st_ino == there.st_ino;
}

} // namespace

bool isIntact(const fs::path &model, bool mine) {
  if (mine && !isPrivateFile(model))
    return false;
  const std::vector<uint8_t> bytes = bytesOf(model);
  if (bytes.size() < SealBytes)
    return false;
  const Span<const uint8_t> all(bytes);
  const std::vector<uint8_t> seal = sealOf(all.subspan(0, all.size() - SealBytes));
  return std::memcmp(seal.data(), all.data() + all.size() - SealBytes, SealBytes) == 0;
}

Result<void> sealAndMove(const fs::path &from, const fs::path &to) {
  std::vector<uint8_t> bytes = bytesOf(from);
  const std::vector<uint8_t> seal = sealOf(bytes);
  bytes.insert(bytes.end(), seal.begin(), seal.end());
  if (Result<void> written = writeFileAtomically(from.string(), bytes); !written)
    return written;
  std::error_code problem;
  fs::permissions(from, fs::perms(0755), problem); // whatever the umask
  fs::rename(from, to, problem);
  return problem ? Result<void>(error("cannot write '" + to.string() + "': " + problem.message()))
                 : Result<void>();
}

struct BuildFolder::Removal {
  Temporary folder;
};

BuildFolder::BuildFolder(fs::path path, int descriptor)
    : path(std::move(path)), descriptor(descriptor), removal(new Removal{Temporary(this->path.string())}) {}

BuildFolder::~BuildFolder() {
  removal.reset();
  close(descriptor);
}

Result<std::unique_ptr<BuildFolder>> BuildFolder::lock(const fs::path &object,
                                                       const std::function<void()> &busy) {
  const fs::path path = object.string() + ".build";
  for (;;) {
    auto held = std::make_unique<SignalsHeld>(); // until it is known that the folder is ours to remove
    if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
      return unwritable(path);
    const int descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0 && errno != ENOENT)
      return unwritable(path);
    if (descriptor >= 0 && acquire(descriptor, path, busy, held)) {
      std::unique_ptr<BuildFolder> folder(new BuildFolder(path, descriptor));
      held.reset();
      std::error_code none;
      for (const auto &entry : fs::directory_iterator(path, none)) // of a killed process
        removeTree(entry.path().string());
      removeStale(path.parent_path());
      return folder;
    }
    if (descriptor >= 0)
      close(descriptor); // removed by the one who had it
  }
}

} // namespace daedalus::sim::rtl
