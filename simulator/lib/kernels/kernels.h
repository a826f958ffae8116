// The instructions once more, for speed: flat loops over contiguous rows that compilers vectorise, chosen at
// run time by what the host's CPU has. Tested against lib/functional, which says what they mean.
//
// Where an access would be outside its scratchpad, limit or memory they give false, having changed nothing
// that a second execution sees; the caller then takes the readable semantics, which know the fault.
#pragma once

#include "common/core_state.h"

namespace daedalus::sim::kernels {

bool execute(const isa::Load &load, CoreState &core);
bool execute(const isa::Gemm &gemm, CoreState &core);
bool execute(const isa::Vector &vector, CoreState &core);
bool execute(const isa::Store &store, CoreState &core);

} // namespace daedalus::sim::kernels
