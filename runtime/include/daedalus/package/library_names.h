// Looking up libraries by their names, in lists of those that hosts or GPUs have: a library has a name and
// functions.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace daedalus::package {

/// Null where there is none of this name.
template <class Library> const Library *findNamed(const std::vector<Library> &all, const std::string &name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Library &library) { return library.name == name; });
  return found == all.end() ? nullptr : &*found;
}

/// The library of a function such as "openblas.matmul"; null where no library has it.
template <class Library>
const Library *findWithFunction(const std::vector<Library> &all, const std::string &function) {
  const size_t dot = function.find('.');
  const Library *library = dot == std::string::npos ? nullptr : findNamed(all, function.substr(0, dot));
  const bool isThere = library && std::find(library->functions.begin(), library->functions.end(),
                                            function.substr(dot + 1)) != library->functions.end();
  return isThere ? library : nullptr;
}

} // namespace daedalus::package
