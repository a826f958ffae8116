// Whole files by POSIX calls: open, write, fsync, rename.

#include "daedalus/support/file.h"

#include "unforeseen_name.h"

#include "daedalus/support/inputs.h"
#include "daedalus/support/temporaries.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace daedalus {
namespace {

constexpr size_t bufferBytes = 1 << 16;

Error failure(const std::string &path, const std::string &why) {
  return error("cannot write '" + path + "': " + why);
}

Error failure(const std::string &path, int code) {
  return failure(path, std::string(std::strerror(code)));
}

/// 0, or the system's error code.
int writeAll(int fd, Span<const uint8_t> bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t count = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno != EINTR)
      return errno;
    done += count > 0 ? static_cast<size_t>(count) : 0;
  }
  return 0;
}

std::string folderOf(const std::string &path) {
  return path.substr(0, path.rfind('/') + 1);
}

/// N of /dev/fd/N and its other names.
std::optional<int> ownDescriptor(const std::string &path) {
  if (path == "/dev/stdout" || path == "/dev/stderr")
    return path == "/dev/stdout" ? STDOUT_FILENO : STDERR_FILENO;
  for (const std::string folder : {"/dev/fd/", "/proc/self/fd/"})
    if (const std::string number = path.substr(std::min(folder.size(), path.size()));
        path.compare(0, folder.size(), folder) == 0 && !number.empty() && number.size() < 10 &&
        number.find_first_not_of("0123456789") == std::string::npos)
      return std::stoi(number);
  return std::nullopt;
}

/// Where a path leads through symbolic links, also those to nothing; not past what this process has open.
std::string resolve(std::string path) {
  char text[PATH_MAX];
  for (unsigned links = 0; links < 40 && !ownDescriptor(path); ++links) {
    const ssize_t length = readlink(path.c_str(), text, sizeof text);
    if (length < 0)
      break;
    const std::string next(text, static_cast<size_t>(length));
    path = next[0] == '/' ? next : folderOf(path) + next;
  }
  return path;
}

} // namespace

struct OutputFile::State {
  State(const std::string &path, const std::string &shown)
      : path(path), shown(shown.empty() ? path : shown), target(resolve(path)) {}
  ~State() {
    if (descriptor >= 0)
      close(descriptor);
  }

  bool isDirect() const { return name.empty(); }
  Result<void> open();
  Result<void> openDirectly(mode_t kind);
  Result<void> openBeside();
  void note(int code) { problem = problem ? problem : code; }
  void flush();
  void takeRights();
  Result<void> stage();
  Result<void> place();

  const std::string path, shown, target; ///< as given, in errors, and where it leads through links
  std::string name;                      ///< of the temporary file; empty: written directly
  std::unique_ptr<Temporary> temporary;
  std::vector<uint8_t> buffer;
  std::optional<struct stat> replaced; ///< the file that is at the place
  int descriptor = -1, problem = 0;    ///< the system's first error code
};

Result<void> OutputFile::State::open() {
  if (Result<void> allowed = checkNotInput(path); !allowed)
    return allowed;
  if (const std::optional<int> own = ownDescriptor(target)) {
    descriptor = fcntl(*own, F_DUPFD_CLOEXEC, 0);
    return descriptor < 0 ? Result<void>(failure(shown, errno)) : Result<void>();
  }
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT)
    return failure(shown, errno);
  if (exists && S_ISDIR(status.st_mode))
    return failure(shown, EISDIR);
  if (exists && S_ISBLK(status.st_mode))
    return failure(shown, "it is a block device, a disk; name a file");
  if (exists && !S_ISREG(status.st_mode))
    return openDirectly(status.st_mode & S_IFMT);
  if (exists)
    replaced = status;
  return openBeside();
}

Result<void> OutputFile::State::openDirectly(mode_t kind) {
  descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) < 0)
    return failure(shown, errno);
  if ((status.st_mode & S_IFMT) != kind)
    return failure(shown, "somebody has just put another file there");
  return {};
}

Result<void> OutputFile::State::openBeside() {
  const SignalsHeld held; // until the file is known to be ours
  for (unsigned tries = 0; descriptor < 0 && (tries == 0 || (errno == EEXIST && tries < 100)); ++tries) {
    name = unforeseenName(folderOf(target));
    descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                        replaced ? 0600 : 0666); // the latter as the umask has it
  }
  if (descriptor < 0)
    return failure(shown, errno);
  temporary = std::make_unique<Temporary>(name);
  return {};
}

void OutputFile::State::flush() {
  note(problem ? problem : writeAll(descriptor, buffer));
  buffer.clear();
}

/// Those of the file that is replaced. Who cannot give it its owner leaves out what only that one may grant.
void OutputFile::State::takeRights() {
  struct stat mine {};
  if (fstat(descriptor, &mine) < 0)
    return note(errno);
  const bool isOther = mine.st_uid != replaced->st_uid || mine.st_gid != replaced->st_gid;
  const bool isForeign = isOther && fchown(descriptor, replaced->st_uid, replaced->st_gid) < 0;
  if (fchmod(descriptor, replaced->st_mode & (isForeign ? 0777 : 07777)) < 0)
    note(errno);
}

/// All of it is on the disk, or where it goes directly.
Result<void> OutputFile::State::stage() {
  flush();
  if (!problem && !isDirect() && replaced)
    takeRights();
  if (!problem && !isDirect() && fsync(descriptor) < 0)
    note(errno);
  if (close(descriptor) < 0)
    note(errno);
  descriptor = -1;
  return problem ? Result<void>(failure(shown, problem)) : Result<void>();
}

Result<void> OutputFile::State::place() {
  if (isDirect())
    return {};
  if (rename(name.c_str(), target.c_str()) < 0)
    return failure(shown, errno);
  temporary->keep();
  return {};
}

OutputFile::OutputFile(std::unique_ptr<State> state) : state(std::move(state)) {}
OutputFile::~OutputFile() = default;

Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::string &path, const std::string &shown) {
  auto state = std::make_unique<State>(path, shown);
  if (Result<void> opened = state->open(); !opened)
    return error(opened.error());
  return std::unique_ptr<OutputFile>(new OutputFile(std::move(state)));
}

void OutputFile::write(Span<const uint8_t> bytes) {
  if (state->buffer.size() + bytes.size() > bufferBytes)
    state->flush();
  if (bytes.size() < bufferBytes)
    state->buffer.insert(state->buffer.end(), bytes.begin(), bytes.end());
  else if (!state->problem)
    state->note(writeAll(state->descriptor, bytes));
}

void OutputFile::take(const std::string &file) {
  const int from = ::open(file.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (from < 0 || (!state->isDirect() && rename(file.c_str(), state->name.c_str()) < 0)) {
    state->note(errno);
    return;
  }
  if (!state->isDirect()) {
    close(state->descriptor);
    state->descriptor = from;
    return;
  }
  std::vector<uint8_t> block(bufferBytes);
  for (ssize_t count; (count = read(from, block.data(), block.size())) > 0;)
    write({block.data(), static_cast<size_t>(count)});
  close(from);
}

std::string OutputFile::folderBeside() const {
  if (state->isDirect())
    return "";
  const std::string folder = folderOf(state->target);
  return folder.empty() ? "./" : folder;
}

Result<void> OutputFile::commit() {
  if (Result<void> staged = state->stage(); !staged)
    return staged;
  const SignalsHeld held;
  return state->place();
}

Result<void> OutputFile::commitAll(const std::vector<std::unique_ptr<OutputFile>> &files) {
  for (const std::unique_ptr<OutputFile> &file : files)
    if (Result<void> staged = file->state->stage(); !staged)
      return staged;
  const SignalsHeld held;
  for (const std::unique_ptr<OutputFile> &file : files)
    if (Result<void> placed = file->state->place(); !placed)
      return placed;
  return {};
}

Result<void> writeFileAtomically(const std::string &path, Span<const uint8_t> bytes) {
  Result<std::unique_ptr<OutputFile>> file = OutputFile::create(path);
  if (!file)
    return error(file.error());
  (*file)->write(bytes);
  return (*file)->commit();
}

Result<void> writeFileAtomically(const std::string &path, const std::string &text) {
  return writeFileAtomically(
      path, Span<const uint8_t>(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
}

} // namespace daedalus
