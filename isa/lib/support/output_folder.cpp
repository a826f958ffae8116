// Folders of outputs: beside the place of the first one that is missing, and renamed when all is in it.
#include "daedalus/support/file.h"

#include "unforeseen_name.h"

#include "daedalus/support/temporaries.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace daedalus {
namespace {

Error failure(const std::string &folder, int code) {
  return error("cannot make the folder '" + folder + "': " + std::strerror(code));
}

bool isFolder(const std::string &path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

bool isThere(const std::string &path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0;
}

Result<void> writeInto(const std::string &folder, const std::string &shown,
                       const std::vector<FileOfFolder> &files) {
  std::vector<std::unique_ptr<OutputFile>> outputs;
  for (const FileOfFolder &file : files) {
    auto output = OutputFile::create(folder + "/" + file.name, shown + "/" + file.name);
    if (!output)
      return error(output.error());
    (*output)->write(file.bytes);
    outputs.push_back(std::move(*output));
  }
  return OutputFile::commitAll(outputs);
}

/// The first of the folders on the way that is missing, and what stands behind it.
std::pair<std::string, std::string> firstMissing(const std::string &folder) {
  size_t end = 0;
  do
    end = std::min(folder.find('/', end + 1), folder.size());
  while (end < folder.size() && isThere(folder.substr(0, end)));
  return {folder.substr(0, end), folder.substr(end)};
}

/// 0, or the system's error code.
int makeInside(const std::string &folder, const std::string &rest) {
  for (size_t end = 0; end < rest.size();) {
    end = std::min(rest.find('/', end + 1), rest.size());
    if (mkdir((folder + rest.substr(0, end)).c_str(), 0777) < 0 && errno != EEXIST)
      return errno;
  }
  return 0;
}

/// 0, or the system's error code: EEXIST or ENOTEMPTY where somebody else has made it.
Result<int> writeNew(const std::string &folder, const std::vector<FileOfFolder> &files) {
  const auto [missing, rest] = firstMissing(folder);
  if ((rest + "/").find("/../") != std::string::npos)
    return ENOENT; // above what is not there
  const std::string made = unforeseenName(missing.substr(0, missing.rfind('/') + 1));
  std::unique_ptr<Temporary> temporary;
  {
    const SignalsHeld held;
    if (mkdir(made.c_str(), 0777) < 0)
      return errno;
    temporary = std::make_unique<Temporary>(made);
  }
  if (const int code = makeInside(made, rest))
    return code;
  if (Result<void> written = writeInto(made + rest, folder, files); !written)
    return error(written.error());
  const SignalsHeld held;
  if (rename(made.c_str(), missing.c_str()) < 0)
    return errno;
  temporary->keep();
  return 0;
}

} // namespace

Result<void> writeFolder(const std::string &folder, const std::vector<FileOfFolder> &files) {
  std::string path = folder;
  while (path.size() > 1 && path.back() == '/')
    path.pop_back();
  int code = 0;
  for (unsigned tries = 0; tries < 10; ++tries) {
    if (isFolder(path))
      return writeInto(path, path, files);
    const Result<int> written = writeNew(path, files);
    if (!written)
      return error(written.error());
    if (*written == 0)
      return {};
    code = *written;
    if (code != EEXIST && code != ENOTEMPTY)
      break;
  }
  return failure(folder, code);
}

} // namespace daedalus
