#include "daedalus/package/libraries.h"

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
  for (const Library &library : libraries())
    if (library.name == name)
      return &library;
  return nullptr;
}

const Library *libraryOf(const std::string &external) {
  const size_t dot = external.find('.');
  const Library *library = dot == std::string::npos ? nullptr : findLibrary(external.substr(0, dot));
  const bool isThere = library && std::find(library->functions.begin(), library->functions.end(),
                                            external.substr(dot + 1)) != library->functions.end();
  return isThere ? library : nullptr;
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
