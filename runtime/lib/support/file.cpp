// Whole files by POSIX calls: open, read, write, fsync, rename.

#include "daedalus/support/file.h"

#include <cerrno>
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

/// Where a symbolic link leads, so that the link itself is not replaced.
std::string resolve(const std::string &path) {
  char *real = realpath(path.c_str(), nullptr);
  std::string result = real ? real : path;
  std::free(real);
  return result;
}

mode_t newFileMode() {
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

} // namespace

Result<std::vector<uint8_t>> readFile(const std::string &path) {
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (file.fd < 0 || fstat(file.fd, &status) < 0)
    return failure("read", path, errno);
  if (S_ISDIR(status.st_mode))
    return failure("read", path, EISDIR);
  std::vector<uint8_t> bytes;
  for (;;) { // until the end of the file, so that pipes work too
    const size_t done = bytes.size(),
                 left = static_cast<size_t>(status.st_size) > done ? status.st_size - done : 0;
    bytes.resize(done + left + 4096);
    ssize_t count = read(file.fd, bytes.data() + done, left + 4096);
    bytes.resize(done + (count > 0 ? static_cast<size_t>(count) : 0));
    if (count == 0)
      return bytes;
    if (count < 0 && errno != EINTR)
      return failure("read", path, errno);
  }
}

Result<void> writeFileAtomically(const std::string &path, Span<const uint8_t> bytes) {
  const std::string target = resolve(path);
  struct stat status {};
  const bool exists = stat(target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode))
    return failure("write", path, EISDIR);
  if (exists && !S_ISREG(status.st_mode))
    return writeDirectly(path, bytes);
  std::string temporary = target + ".XXXXXX";
  Descriptor file(mkostemp(temporary.data(), O_CLOEXEC));
  if (file.fd < 0)
    return failure("write", path, errno);
  int code = fillTemporary(file.fd, bytes, exists ? status.st_mode & 07777 : newFileMode());
  if (!code && rename(temporary.c_str(), target.c_str()) < 0)
    code = errno;
  if (!code)
    return {};
  unlink(temporary.c_str());
  return failure("write", path, code);
}

} // namespace daedalus
