// A case on a device, before it runs.
#pragma once

#include "daedalus/simulator/cosim.h"

namespace daedalus::cosim {

/// The number of words that the program's length says.
uint32_t lengthOf(const Case &test);

/// Base registers, limits, and where the program of `length` words is.
void writeRegisters(sim::Device &device, const Case &test, uint32_t length);

/// Random data, sound parameters, and the program; `withWords` also the words that stand for damaged
/// instructions.
void fillDram(sim::Device &device, const Case &test, const std::vector<isa::Instruction> &instructions,
              bool withWords);

} // namespace daedalus::cosim
