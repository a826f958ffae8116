// Inputs into the arena and outputs out of it, and the machine of a package: what sessions and whole systems
// share.
#pragma once

#include "daedalus/isa/machine.h"
#include "daedalus/runtime/tensor.h"
#include "daedalus/support/result.h"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::runtime {

/// "'a', 'b'", or "none".
std::string quoted(const std::vector<std::string> &names);

template <class T> std::vector<std::string> namesOf(const std::vector<T> &items) {
  std::vector<std::string> names;
  for (const T &item : items)
    names.push_back(item.name);
  return names;
}

/// `machine`, or without one that of the package's name. The error says that it is no built-in one.
Result<isa::Machine> chooseMachine(const package::Package &package,
                                   const std::optional<isa::Machine> &machine);

/// Copies all inputs of the function to their places in the arena. Errors: as of Session::run().
Result<void> placeInputs(const package::Function &function, const std::vector<Tensor> &inputs,
                         uint8_t *arena);
Tensor takeOutput(const package::Value &value, const uint8_t *arena);

} // namespace daedalus::runtime
