// Libraries of the host that packages may call: external functions whose names begin with a library's, such
// as "openblas.matmul", are resolved by the runtime where the user registers no other function for them. What
// the functions take is in docs/targets.md.
#pragma once

#include "daedalus/package/package.h"

#include <string>
#include <vector>

namespace daedalus::package {

struct Library {
  std::string name;                   // in --cpu-library and in front of its functions: "openblas"
  std::string title;                  // in sentences: "OpenBLAS"
  std::string file;                   // of its shared object: "libopenblas.so.0"
  std::string debian;                 // the package of Debian's that has the file
  std::string variable;               // of the environment: another file in its place
  std::vector<std::string> functions; // that packages call, without its name: "matmul"
};

const std::vector<Library> &libraries();

/// Null where there is none of this name.
const Library *findLibrary(const std::string &name);

/// The library of an external function, such as that of "openblas.matmul"; null of a function of the user's.
const Library *libraryOf(const std::string &external);

/// Those whose functions a package calls, in the order of libraries().
std::vector<const Library *> librariesOf(const Package &package);

} // namespace daedalus::package
