// What the accelerator is told of a compilation.

#ifndef DAEDALUS_TARGET_ACCELERATOR_SETTINGS_H
#define DAEDALUS_TARGET_ACCELERATOR_SETTINGS_H

#include "daedalus/Target/Accelerator/Tuned.h"
#include "daedalus/isa/machine.h"

#include <memory>
#include <optional>
#include <string>

namespace daedalus::accelerator {

struct Settings {
  static constexpr const char *target = "accelerator";
  /// Nothing: the machine that the module is for, or "default".
  std::optional<isa::Machine> machine;
  /// What its cycles last, for prices of kernels in microseconds; nothing: it has none, for the clock of a
  /// machine file is an assumption.
  std::optional<uint64_t> clockMhz;
  /// The path of a file of more intrinsics that it may use; may be empty.
  std::string intrinsics;
  /// Plans that a search found, for kernels that no given plan names; may be null.
  std::shared_ptr<const Tuned> tuned;
  bool keepsSpaces = false; ///< for spacesOf
};

} // namespace daedalus::accelerator

#endif
