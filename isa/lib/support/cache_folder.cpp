// See cache_folder.h.

#include "daedalus/support/cache_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace daedalus {
namespace fs = std::filesystem;
namespace {

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

/// An absolute path, or empty.
std::string absoluteVariable(const char *name) {
  const std::string value = variable(name);
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
  return error("the cache of compiled code must be private, and '" + folder.string() + "' " + why +
               ": set DAEDALUS_CACHE to a folder of your own, or make sure that you own this one and nobody "
               "else can write to it");
}

} // namespace

Error unwritable(const fs::path &folder) {
  return error("cannot write to '" + folder.string() + "': " + std::strerror(errno) +
               "; set DAEDALUS_CACHE to a folder that can be written");
}

Result<std::string> cacheFolder(const std::string &kind) {
  if (const std::string cache = variable("DAEDALUS_CACHE"); !cache.empty()) {
    std::error_code problem;
    const fs::path path = fs::absolute(cache, problem);
    return problem ? Result<std::string>(error("DAEDALUS_CACHE is '" + cache +
                                               "', and the working folder is gone: " + problem.message() +
                                               "; set it to an absolute path"))
                   : Result<std::string>(path.string() + "/" + kind);
  }
  std::string caches = absoluteVariable("XDG_CACHE_HOME"), home = absoluteVariable("HOME");
  if (home.empty())
    home = homeOfTheSystem();
  if (caches.empty() && home.empty())
    return error(
        "there is no home folder to keep compiled code in: set DAEDALUS_CACHE to a folder of your own");
  return (caches.empty() ? home + "/.cache" : caches) + "/daedalus/" + kind;
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

bool isPrivateFile(const fs::path &file) {
  struct stat status {};
  return lstat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) && isPrivate(status);
}

} // namespace daedalus
