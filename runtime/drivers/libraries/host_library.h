// The shared object of a library that this host may have.
#pragma once

#include "daedalus/package/libraries.h"
#include "daedalus/support/result.h"

#include <dlfcn.h>

#pragma GCC visibility push(default) // for bench cpu, which finds its peers the same way

namespace daedalus::runtime::libraries {

class HostLibrary {
public:
  /// Loads the file that the library's variable of the environment names, else the library's own; it stays
  /// loaded. The error says what the loader says and which package of Debian's has the file.
  static Result<HostLibrary> open(const package::Library &library);

  /// Of the library, or of what it was linked with; null where there is none of this name.
  template <class F> void find(F &function, const char *name) const {
    function = reinterpret_cast<F>(dlsym(handle, name));
  }

private:
  explicit HostLibrary(void *handle) : handle(handle) {}
  void *handle;
};

} // namespace daedalus::runtime::libraries
#pragma GCC visibility pop
