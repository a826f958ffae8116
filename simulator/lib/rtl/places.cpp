#include "rtl/places.h"

#include "rtl/shell.h"

#include <dlfcn.h>

namespace daedalus::sim::rtl {
namespace fs = std::filesystem;
namespace {

/// A folder of the installation that this library is a part of; empty where it is of none.
fs::path installed(const char *folder) {
  Dl_info library{};
  if (!dladdr(reinterpret_cast<const void *>(&builtinModels), &library) || !library.dli_fname)
    return {};
  std::error_code none;
  const fs::path place = fs::weakly_canonical(fs::path(library.dli_fname).parent_path() / folder, none);
  return fs::is_directory(place, none) ? place : fs::path();
}

} // namespace

fs::path hardwareDirectory() {
  const fs::path place = installed(DAEDALUS_INSTALLED_HW);
  return environment("DAEDALUS_HW", place.empty() ? DAEDALUS_HW_DIRECTORY : place.string());
}

fs::path builtinModels() {
  const fs::path place = installed(DAEDALUS_INSTALLED_MODELS);
  return place.empty() ? fs::path(DAEDALUS_RTL_MODELS) : place;
}

fs::path systemFile(const char *name) {
  return builtinModels().parent_path() / "soc" / name;
}

} // namespace daedalus::sim::rtl
