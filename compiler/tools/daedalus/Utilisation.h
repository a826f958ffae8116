// How much of the accelerator's array the layers of a run used.
#pragma once

#include "daedalus/isa/machine.h"
#include "daedalus/runtime/session.h"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::cli {

/// Of one layer: its multiply-accumulates in parts of those that its cycles have room for, from 0 to 1. Where
/// some of a later layer's work is done in this one's cycles, both are counted together, at the later one.
struct LayerUse {
  std::optional<double> part;
  std::optional<size_t> countedWith; ///< index into RunResult::layers
};

/// One a layer, in order; nothing of those without cycles, or of a run without a machine.
std::vector<LayerUse> usesOf(const runtime::RunResult &result, const isa::Machine *machine);

/// Multiply-accumulates that so many cycles have room for.
double products(uint64_t cycles, const isa::Machine &machine);

/// "12.3%"; "-" of a layer that multiplies nothing.
std::string textOf(const LayerUse &use);
/// What stands below a table in which a layer is counted with another one; else nothing.
std::string overlapNote(const std::vector<LayerUse> &uses);

} // namespace daedalus::cli
