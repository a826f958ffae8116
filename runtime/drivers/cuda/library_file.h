// The shared object of a library of NVIDIA's, on this host.
#pragma once

#include "cuda_libraries.h"

#include "daedalus/support/result.h"

#include <dlfcn.h>

namespace daedalus::cuda {

class LibraryFile {
public:
  /// Loads the file that the library's variable of the environment names, else the first of the library's own
  /// that there is; it stays loaded. The error says what the loader says.
  static Result<LibraryFile> open(const Library &library);

  template <class F> void find(F &function, const char *name) {
    function = reinterpret_cast<F>(dlsym(handle, name));
    if (!function && missing.empty())
      missing = name;
  }
  /// The error names the first function that was looked for and is not there.
  Result<void> check() const;

private:
  LibraryFile(const Library &library, void *handle) : library(library), handle(handle) {}

  const Library &library;
  void *handle;
  std::string missing;
};

/// The functions of a library that `findAll` looks for. The error says that there is no library, or which one
/// it lacks.
template <class Api> Result<Api> loadApi(const Library &library, void (*findAll)(LibraryFile &, Api &)) {
  Result<LibraryFile> file = LibraryFile::open(library);
  if (!file)
    return error(file.error());
  Api api{};
  findAll(*file, api);
  const Result<void> ok = file->check();
  return ok ? Result<Api>(api) : error(ok.error());
}

/// Nothing where a call succeeded, whose status is 0; else what it was for, and what the library says of the
/// status, in its own words and by its name; either may be null.
Result<void> checkStatus(const Library &library, int status, const char *name, const char *text,
                         const std::string &what);

} // namespace daedalus::cuda
