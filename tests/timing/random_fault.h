// Puts one fault into a random program: of any cause, in any module.
#pragma once

#include "random_program.h"

namespace daedalus::timing {

/// Changes a program so that it has a fault of that cause, as far as it has an instruction for it.
/// Leaves setup.program encoded.
void injectFault(Random &random, TestProgram &program, isa::FaultCause cause);

} // namespace daedalus::timing
