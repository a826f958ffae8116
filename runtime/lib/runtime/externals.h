// The external functions of a package: the user's by their names, and those of libraries where the user has
// registered no other.
#pragma once

#include "daedalus/package/package.h"
#include "daedalus/runtime/session.h"

#include <map>
#include <string>

namespace daedalus::runtime {

class Externals {
public:
  explicit Externals(const package::Package &package) : package(package) {}

  /// Makes the calls of libraries ready, as far as this host has them; what is wrong with one is said when it
  /// would run.
  void bindLibraries(const uint8_t *constants, unsigned threads);
  void registerFunction(const std::string &name, ExternalFunction function) {
    own[name] = std::move(function);
  }

  /// What a step calls. The error: it is not registered, or its library does not take it.
  Result<const ExternalFunction *> of(const package::Step &step) const;
  /// Whether all that a function calls is there.
  Result<void> check(const package::Function &function) const;

  /// "the external function 'double' (node 'Double_2')"
  std::string describe(const package::Step &step) const;

private:
  const package::Package &package;
  std::map<std::string, ExternalFunction> own;
  std::map<const package::Step *, Result<ExternalFunction>> ofLibraries;
};

} // namespace daedalus::runtime
