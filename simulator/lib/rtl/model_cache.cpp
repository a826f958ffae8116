// Seals are FNV-1a over the shared object; locks are flock on the folder itself, which a dead process cannot
// hold.
#include "rtl/model_cache.h"

#include "daedalus/support/file.h"
#include "daedalus/support/hash.h"
#include "daedalus/support/temporaries.h"
#include "rtl/shell.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <pwd.h>
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

/// An absolute path, or empty.
std::string absoluteVariable(const char *name) {
  const std::string value = environment(name, "");
  return !value.empty() && value[0] == '/' ? value : "";
}

std::string homeOfTheSystem() {
  const passwd *user = getpwuid(geteuid());
  return user && user->pw_dir && user->pw_dir[0] == '/' ? user->pw_dir : "";
}

/// Whether this user alone can write to it.
bool isPrivate(const struct stat &status) {
  return status.st_uid == geteuid() && !(status.st_mode & (S_IWGRP | S_IWOTH));
}

Error shared(const fs::path &folder, const std::string &why) {
  return error("the cache of compiled RTL must be private, and '" + folder.string() + "' " + why +
               ": set DAEDALUS_CACHE to a folder of yours, or see to it that you own it and nobody else can "
               "write to it");
}

Error unwritable(const fs::path &folder) {
  return error("cannot write to '" + folder.string() + "': " + std::strerror(errno) +
               "; set DAEDALUS_CACHE to a folder that can be written");
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

Result<std::string> cacheDirectory() {
  if (const std::string cache = environment("DAEDALUS_CACHE", ""); !cache.empty()) {
    std::error_code problem;
    const fs::path path = fs::absolute(cache, problem);
    return problem ? Result<std::string>(error("DAEDALUS_CACHE is '" + cache +
                                               "', and the working folder is gone: " + problem.message() +
                                               "; set it to an absolute path"))
                   : Result<std::string>(path.string() + "/rtl");
  }
  std::string caches = absoluteVariable("XDG_CACHE_HOME"), home = absoluteVariable("HOME");
  if (home.empty())
    home = homeOfTheSystem();
  if (caches.empty() && home.empty())
    return error("there is no home folder to keep compiled RTL in: set DAEDALUS_CACHE to a folder of yours");
  return (caches.empty() ? home + "/.cache" : caches) + "/daedalus/rtl";
}

Result<void> makePrivateFolder(const fs::path &folder) {
  fs::path path;
  for (const fs::path &part : folder) {
    path /= part;
    if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST && errno != EROFS && errno != EACCES)
      return unwritable(path);
  }
  struct stat status {};
  for (const fs::path &each : {folder, folder.parent_path()}) {
    if (stat(each.c_str(), &status) != 0 || (!S_ISDIR(status.st_mode) && (errno = ENOTDIR)))
      return unwritable(each);
    if (!isPrivate(status))
      return shared(each,
                    status.st_uid == geteuid() ? "can be written by others" : "belongs to another user");
  }
  for (fs::path above = folder.parent_path(); above != above.root_path(); above = above.parent_path())
    if (stat(above.c_str(), &status) == 0 && status.st_mode & S_IWOTH && !(status.st_mode & S_ISVTX))
      return shared(above, "can be written by everybody");
  return {};
}

bool isIntact(const fs::path &model, bool mine) {
  struct stat status {};
  if (mine && (lstat(model.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || !isPrivate(status)))
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
