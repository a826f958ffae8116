// What each instruction does, in the order of its iterations: the specification of results, written to be
// read. One file an instruction: load.cpp, gemm.cpp, vector.cpp, store.cpp.
//
// Each function gives the instruction's first fault and does nothing behind it; index and module of the
// fault are the caller's. What a faulting instruction has written by then is not promised.
#pragma once

#include "common/core_state.h"
#include "common/fault.h"

#include <optional>

namespace daedalus::sim::functional {

std::optional<Fault> execute(const isa::Load &load, CoreState &core);
std::optional<Fault> execute(const isa::Gemm &gemm, CoreState &core);
std::optional<Fault> execute(const isa::Vector &vector, CoreState &core);
std::optional<Fault> execute(const isa::Store &store, CoreState &core);

/// These do nothing but take their place in the order.
inline std::optional<Fault> execute(const isa::Nop &, CoreState &) {
  return std::nullopt;
}
inline std::optional<Fault> execute(const isa::Mark &, CoreState &) {
  return std::nullopt;
}
inline std::optional<Fault> execute(const isa::Finish &, CoreState &) {
  return std::nullopt;
}

/// Reads instruction `index` of a program; or the fault that keeps it from being dispatched.
std::optional<Fault> fetch(const CoreState &core, const ProgramRegisters &program, uint32_t index,
                           isa::Instruction &instruction);

/// The first fault of an access to the DRAM bytes [begin, end), offsets from the base register: outside its
/// limit, or outside the memory.
std::optional<Fault> checkDram(const CoreState &core, unsigned base, int64_t begin, int64_t end);

/// The fault of an access to the units [begin, end) of a scope that has `size`; a unit is a row or a byte.
std::optional<Fault> checkScope(isa::Scope scope, const char *unit, int64_t begin, int64_t end, int64_t size);

} // namespace daedalus::sim::functional
