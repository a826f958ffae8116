// What is wide: places in DRAM beyond 2^31 and 2^16, for cases that are drawn.
#pragma once

#include "cosim/random.h"
#include "daedalus/simulator/cosim.h"

namespace daedalus::cosim {

/// Moves offsets, limits and addresses of some base registers so that they pass 2^31 and come near 2^32, and
/// all addresses by some multiples of 64 KiB. What the program means stays.
void widen(Case &test, Random &random);

/// A LOAD or STORE whose runs leave its limit, or go before its base register, by so much that 32 bits do not
/// show it. False where no place for it is found.
bool farAddressLimit(Case &test, const isa::Machine &machine, Random &random);

} // namespace daedalus::cosim
