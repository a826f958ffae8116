#include "host_library.h"

#include <cstdlib>
#include <string>

namespace daedalus::runtime::libraries {

Result<HostLibrary> HostLibrary::open(const package::Library &library) {
  const char *named = std::getenv(library.variable.c_str());
  const std::string file = named && *named ? named : library.file;
  if (void *handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL))
    return HostLibrary(handle);
  return error("this host lacks " + library.title + " (" + dlerror() + "): install Debian's " +
               library.debian + " or name its file in " + library.variable);
}

} // namespace daedalus::runtime::libraries
