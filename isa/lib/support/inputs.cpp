// Inputs are known by device and inode: links and other names are the same file.
#include "daedalus/support/inputs.h"

#include <mutex>
#include <set>
#include <sys/stat.h>

namespace daedalus {
namespace {

struct Inputs {
  std::mutex mutex;
  std::set<std::pair<dev_t, ino_t>> files;
  bool guarded = false;

  void add(const struct stat &status) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (guarded && S_ISREG(status.st_mode))
      files.insert({status.st_dev, status.st_ino});
  }
  void remove(const struct stat &status) {
    const std::lock_guard<std::mutex> lock(mutex);
    files.erase({status.st_dev, status.st_ino});
  }
  bool contain(const struct stat &status) {
    const std::lock_guard<std::mutex> lock(mutex);
    return files.count({status.st_dev, status.st_ino}) != 0;
  }
};

Inputs &inputs() {
  static Inputs all;
  return all;
}

} // namespace

void protectInputs() {
  const std::lock_guard<std::mutex> lock(inputs().mutex);
  inputs().guarded = true;
}

void noteInput(const std::string &path) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0)
    inputs().add(status);
}

void noteInput(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) == 0)
    inputs().add(status);
}

void forgetInput(const std::string &path) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0)
    inputs().remove(status);
}

Result<void> checkNotInput(const std::string &path) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0 && inputs().contain(status))
    return error("cannot write '" + path + "': it is an input of this command; name another file");
  return {};
}

} // namespace daedalus
