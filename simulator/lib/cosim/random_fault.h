// Faults for random cases: one in each, that every engine meets.
#pragma once

#include "cosim/random.h"
#include "daedalus/simulator/cosim.h"

namespace daedalus::cosim {

/// Behind everything that programs use, so many bytes of DRAM are free; and a fault adds so many instructions
/// at most.
inline constexpr uint32_t FreeBytes = 8192, AddedInstructions = 300;

/// Puts one fault into a legal case: its cause is drawn. The case is left as it is where no place for it is
/// found.
void addFault(Case &test, const isa::Machine &machine, Random &random);

/// One of the causes: an instruction reads or writes outside of a scratchpad. False where no place for it is
/// found.
bool scratchpadRange(Case &test, const isa::Machine &machine, Random &random);

/// Whether nothing is wrong with the program but its faulty instruction, or its missing finish, or tokens
/// that are one too many or missing: then all engines give the same, but for what has no promise.
bool isComparable(const Case &test, const isa::Machine &machine);

} // namespace daedalus::cosim
