// Accesses to registers at odd moments: while a program runs, and around its stop.
#pragma once

#include "cosim/random.h"
#include "daedalus/simulator/cosim.h"

namespace daedalus::cosim {

/// Of a legal case without a reset. None of them may change the run.
void drawAccesses(Case &test, Random &random);

} // namespace daedalus::cosim
