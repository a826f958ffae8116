#include "daedalus/package/libraries.h"

#include "daedalus/package/library_names.h"

#include <algorithm>

namespace daedalus::package {

const std::vector<Library> &libraries() {
  static const std::vector<Library> all = {
      {"onednn",
       "oneDNN",
       "libdnnl.so.2",
       "libdnnl2",
       "DAEDALUS_ONEDNN",
       {"matmul", "conv", "matmul_i8", "conv_i8"}},
      {"openblas", "OpenBLAS", "libopenblas.so.0", "libopenblas0", "DAEDALUS_OPENBLAS", {"matmul"}}};
  return all;
}

const Library *findLibrary(const std::string &name) {
  return findNamed(libraries(), name);
}

const Library *libraryOf(const std::string &external) {
  return findWithFunction(libraries(), external);
}

std::vector<const Library *> librariesOf(const Package &package) {
  std::vector<const Library *> all;
  for (const Library &library : libraries())
    if (std::any_of(package.externals.begin(), package.externals.end(),
                    [&](const std::string &name) { return libraryOf(name) == &library; }))
      all.push_back(&library);
  return all;
}

} // namespace daedalus::package
