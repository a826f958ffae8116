#include "cli/Files.h"

#include "daedalus/support/file.h"
#include "daedalus/support/inputs.h"

#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace daedalus::cli {

std::vector<uint8_t> read(const std::string &path, const InputKind &kind) {
  return orFail(path == "-" ? readDescriptor(STDIN_FILENO, "stdin", kind) : readFile(path, kind));
}

void checkOutput(const std::string &path) {
  if (!path.empty() && path != "-")
    orFail(checkNotInput(path));
}

void checkNewFolder(const std::string &folder) {
  std::error_code problem;
  const bool isThere = std::filesystem::exists(folder, problem);
  if (isThere && !std::filesystem::is_directory(folder, problem))
    throw Failed{"'" + folder + "' is a file; expected a new folder, or an empty one"};
  if (isThere && !std::filesystem::is_empty(folder, problem))
    throw Failed{"the folder '" + folder + "' is not empty; expected a new folder, or an empty one"};
}

std::string outputOf(const std::string &path) {
  return path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1" ? "-" : path;
}

void write(const std::string &path, Span<const uint8_t> bytes) {
  if (path != "-")
    return orFail(writeFileAtomically(path, bytes));
  std::fwrite(bytes.data(), 1, bytes.size(), stdout); // main looks at stdout's end
}

void write(const std::string &path, const std::string &text) {
  write(path, Span<const uint8_t>(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
}

void writeBinary(const std::string &path, Span<const uint8_t> bytes, const std::string &what) {
  if (path == "-" && isatty(STDOUT_FILENO))
    throw Usage{what + " is binary and stdout is a terminal: name a file with -o"};
  write(path, bytes);
}

} // namespace daedalus::cli
