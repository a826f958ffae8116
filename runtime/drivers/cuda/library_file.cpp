#include "library_file.h"

#include <cstdlib>

namespace daedalus::cuda {

Result<LibraryFile> LibraryFile::open(const Library &library) {
  const char *named = std::getenv(library.variable.c_str());
  const std::vector<std::string> files = named && *named ? std::vector<std::string>{named} : library.files;
  std::string why;
  for (const std::string &file : files) {
    if (void *handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL))
      return LibraryFile(library, handle);
    why += (why.empty() ? "" : "; ") + std::string(dlerror());
  }
  return error("this host lacks " + library.title + " (" + why + "): install " + library.origin +
               ", name its file in " + library.variable + ", or compile without --cuda-library");
}

Result<void> LibraryFile::check() const {
  if (missing.empty())
    return {};
  return error("the file of " + library.title + " has no function " + missing + "; expected " +
               library.title + " " + std::to_string(library.leastVersion) + " or newer, or its file in " +
               library.variable);
}

Result<void> checkStatus(const Library &library, int status, const char *name, const char *text,
                         const std::string &what) {
  if (status == 0)
    return {};
  return error(what + " failed: " + (text ? text : "an error that " + library.title + " does not name") +
               " (" + (name ? name : library.title + "'s status " + std::to_string(status)) + ")");
}

} // namespace daedalus::cuda
