// Makes the Verilated core of a machine as a shared object, and finds it again: its file is named by a hash
// over the machine's core, all sources of hw/, the compilers' options and the host's instruction set. The
// models of the built-in machines are made with the project; others at their first use, in the user's cache
// (model_cache.h).
#pragma once

#include "daedalus/isa/machine.h"

#include <functional>
#include <string>

namespace daedalus::sim::rtl {

struct BuildOptions {
  bool waves = false;       ///< with FST tracing, a model of its own
  bool coverage = false;    ///< counts its lines and toggles (hw/tb/coverage.h), a model of its own
  std::string rtlDirectory; ///< of the RTL instead of hw/rtl; with planted bugs
  bool bugs = false;        ///< the top has the port that selects one
  std::string directory;    ///< where the shared object goes; empty: the user's cache
};

using Progress = std::function<void(const std::string &)>;

/// The path of the model's shared object, which is made if it is not there: `progress` is told before. Of
/// processes that make the same one at a time one wins. Errors name what is missing or the log to read.
Result<std::string> modelFor(const isa::Machine &machine, const BuildOptions &options,
                             const Progress &progress);

} // namespace daedalus::sim::rtl
