// How much of the accelerator's array the layers of a run used.
#pragma once

#include "daedalus/isa/machine.h"
#include "daedalus/runtime/session.h"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::report {

/// Of one layer: those of its multiply-accumulates that are GEMM's, in parts of those that the array could do
/// in the cycles that GEMM had for the layer, waits and idle ones included; from 0 to 1. Nothing of a layer
/// of which GEMM multiplies nothing.
using LayerUse = std::optional<double>;

/// One a layer, in order; nothing of those of a run without a machine.
std::vector<LayerUse> usesOf(const runtime::RunResult &result, const isa::Machine *machine);

/// Of a run: GEMM's multiply-accumulates of all layers on the accelerator, in parts of those that the array
/// could do in all cycles; nothing of a run without cycles.
LayerUse useOf(const runtime::RunResult &result, const isa::Machine *machine);

/// Multiply-accumulates that so many cycles have room for.
double products(uint64_t cycles, const isa::Machine &machine);

/// "12.3%", or "-".
std::string textOf(const LayerUse &use);

} // namespace daedalus::report
