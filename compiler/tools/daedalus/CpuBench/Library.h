// A shared library that may be there.
#pragma once

#include "daedalus/support/result.h"

#include <dlfcn.h>
#include <string>

namespace daedalus::cli {

class Library {
public:
  /// Stays loaded. The error is the loader's, with the Debian package that has the library.
  static Result<Library> open(const char *file, const char *debianPackage) {
    if (void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL))
      return Library(handle);
    return error(std::string(dlerror()) + "; install Debian's " + debianPackage);
  }

  /// Null where it has none of this name.
  template <class F> void find(F &function, const char *name) const {
    function = reinterpret_cast<F>(dlsym(handle, name));
  }

private:
  explicit Library(void *handle) : handle(handle) {}
  void *handle;
};

} // namespace daedalus::cli
