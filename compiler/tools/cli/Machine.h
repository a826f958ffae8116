// The accelerator in the command line: which machine a command is for, and what a compilation expects of it.
#pragma once

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/Accelerator/Figures.h"
#include "daedalus/isa/machine.h"

#include <optional>

namespace daedalus::cli {

/// The machine of this name or file, "default" of none; Failed suggests names for those that are unknown.
isa::Machine machineNamed(const std::string &nameOrFile);

/// The machine that settings name; nothing without one.
std::optional<isa::Machine> machineAsked(const TargetSettings &settings);
/// That machine, or the built-in default.
isa::Machine machineOf(const TargetSettings &settings);
void setMachine(TargetSettings &settings, const isa::Machine &machine);

/// The accelerator's clock that settings say, or else the machine; 0: none.
uint64_t clockOf(const TargetSettings &settings);

using StreamFigures = accelerator::Figures;
StreamFigures figuresOf(const Compiled &compiled);

} // namespace daedalus::cli
