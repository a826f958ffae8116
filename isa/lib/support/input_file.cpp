// Whole files by POSIX calls: a regular file's size is known before a byte is read; anything else is read in
// growing blocks up to the largest size.
#include "daedalus/support/input_file.h"

#include "daedalus/support/inputs.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace daedalus {
namespace {

Error failure(const std::string &name, int code) {
  return error("cannot read '" + name + "': " + std::strerror(code));
}

Error tooLarge(const std::string &name, const std::string &size, const InputKind &kind, uint64_t most) {
  const bool streamed = most < kind.mostBytes;
  return error(
      "'" + name + "' has " + size + " bytes; expected at most " + std::to_string(most) + " bytes of " +
      (streamed ? "what comes through a pipe or from a device: write it to a file first" : kind.name));
}

/// Appends what the next call gives, at most `count` bytes; how many, or -1.
ssize_t append(int descriptor, std::vector<uint8_t> &bytes, uint64_t count) {
  const size_t done = bytes.size();
  bytes.resize(done + count);
  ssize_t got = 0;
  do
    got = read(descriptor, bytes.data() + done, count);
  while (got < 0 && errno == EINTR);
  bytes.resize(done + static_cast<size_t>(std::max<ssize_t>(got, 0)));
  return got;
}

} // namespace

Result<std::vector<uint8_t>> readDescriptor(int descriptor, const std::string &name, const InputKind &kind) {
  struct stat status {};
  if (fstat(descriptor, &status) < 0)
    return failure(name, errno);
  if (S_ISDIR(status.st_mode))
    return failure(name, EISDIR);
  noteInput(descriptor);
  const bool isRegular = S_ISREG(status.st_mode);
  const uint64_t size = isRegular ? static_cast<uint64_t>(status.st_size) : 0,
                 most = isRegular ? kind.mostBytes : std::min(kind.mostBytes, input::MostStreamBytes);
  if (size > most)
    return tooLarge(name, std::to_string(size), kind, most);
  constexpr uint64_t least = 1 << 16; // bytes asked for at once
  std::vector<uint8_t> bytes;
  bytes.reserve(size + least); // with room to see the end
  for (;;) {                   // until the end, which for a file that grows is not where it was
    const uint64_t block = std::max<uint64_t>(size - std::min<uint64_t>(size, bytes.size()), least);
    const ssize_t got = append(descriptor, bytes, std::min(block, most + 1 - bytes.size()));
    if (got < 0)
      return failure(name, errno);
    if (got == 0)
      return bytes;
    if (bytes.size() > most)
      return tooLarge(name, "more than " + std::to_string(most), kind, most);
  }
}

Result<std::vector<uint8_t>> readFile(const std::string &path, const InputKind &kind) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return failure(path, errno);
  Result<std::vector<uint8_t>> bytes = readDescriptor(descriptor, path, kind);
  close(descriptor);
  return bytes;
}

} // namespace daedalus
