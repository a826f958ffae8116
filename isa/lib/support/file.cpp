// Whole files by POSIX calls: open, write, fsync, rename.

#include "daedalus/support/file.h"

#include "daedalus/support/inputs.h"
#include "daedalus/support/temporaries.h"

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace daedalus {
namespace {

Error failure(const std::string &what, const std::string &path, int code) {
  return error("cannot " + what + " '" + path + "': " + std::strerror(code));
}

/// Closes on leaving.
struct Descriptor {
  int fd;
  explicit Descriptor(int fd) : fd(fd) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (fd >= 0)
      close(fd);
  }
};

/// 0, or the system's error code.
int writeAll(int fd, Span<const uint8_t> bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t count = write(fd, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno != EINTR)
      return errno;
    done += count > 0 ? static_cast<size_t>(count) : 0;
  }
  return 0;
}

/// 0, or the system's error code; the rights are those a new file gets.
int fillTemporary(int fd, Span<const uint8_t> bytes, mode_t mode) {
  if (int code = writeAll(fd, bytes))
    return code;
  return fchmod(fd, mode) < 0 || fsync(fd) < 0 ? errno : 0;
}

Result<void> writeDirectly(const std::string &path, Span<const uint8_t> bytes) {
  Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.fd < 0)
    return failure("write", path, errno);
  if (int code = writeAll(file.fd, bytes))
    return failure("write", path, code);
  return {};
}

/// Where a symbolic link to nothing leads, so that the link itself is not replaced.
std::string followDangling(std::string path) {
  char text[PATH_MAX];
  for (unsigned links = 0; links < 40; ++links) {
    const ssize_t length = readlink(path.c_str(), text, sizeof text);
    if (length < 0)
      break;
    const std::string next(text, static_cast<size_t>(length));
    path = next[0] == '/' ? next : path.substr(0, path.rfind('/') + 1) + next;
  }
  return path;
}

/// Where a path leads through symbolic links.
std::string resolve(const std::string &path) {
  char *real = realpath(path.c_str(), nullptr);
  std::string result = real ? real : followDangling(path);
  std::free(real);
  return result;
}

mode_t newFileMode() {
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

/// The name of a new file beside the target, short whatever the target's name is.
std::string temporaryBeside(const std::string &target) {
  static std::atomic<unsigned> number{0};
  const std::string folder = target.substr(0, target.rfind('/') + 1);
  std::string name;
  do // past what a killed process of the same number left
    name = folder + ".daedalus-" + std::to_string(getpid()) + "-" + std::to_string(number++);
  while (access(name.c_str(), F_OK) == 0);
  return name;
}

} // namespace

Result<void> writeFileAtomically(const std::string &path, Span<const uint8_t> bytes) {
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT)
    return failure("write", path, errno);
  if (exists && S_ISDIR(status.st_mode))
    return failure("write", path, EISDIR);
  if (Result<void> allowed = checkNotInput(path); !allowed)
    return allowed;
  if (exists && !S_ISREG(status.st_mode))
    return writeDirectly(path, bytes);
  const std::string target = resolve(path), name = temporaryBeside(target);
  Temporary temporary(name);
  Descriptor file(open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (file.fd < 0) {
    const int code = errno;
    temporary.keep(); // it is not ours
    return failure("write", path, code);
  }
  int code = fillTemporary(file.fd, bytes, exists ? status.st_mode & 07777 : newFileMode());
  if (!code && rename(name.c_str(), target.c_str()) < 0)
    code = errno;
  if (code)
    return failure("write", path, code);
  temporary.keep();
  return {};
}

} // namespace daedalus
