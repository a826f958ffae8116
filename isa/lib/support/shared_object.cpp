#include "daedalus/support/shared_object.h"

#include <dlfcn.h>

namespace daedalus {

static Result<const void *> loadSymbol(const std::string &path, const char *symbol, const std::string &what) {
  // Without a slash the name would be looked for in the system's folders alone.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void *object = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!object) {
    const char *why = dlerror();
    return error("'" + path + "' cannot be loaded as " + what + ": " +
                 (why ? why : "it is not a shared object"));
  }
  if (const void *found = dlsym(object, symbol))
    return found;
  dlclose(object);
  return error("'" + path + "' is not " + what + ": it has no symbol '" + symbol + "'");
}

Result<const void *> loadPlugin(const std::string &path, const char *symbol, const std::string &what,
                                uint32_t version) {
  Result<const void *> found = loadSymbol(path, symbol, what);
  const uint32_t its = found ? *static_cast<const uint32_t *>(*found) : version;
  if (its != version)
    return error("'" + path + "' is " + what + " of version " + std::to_string(its) + "; expected " +
                 std::to_string(version) + ", so build it against this Daedalus");
  return found;
}

} // namespace daedalus
