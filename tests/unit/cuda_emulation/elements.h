// Kernels of one operation, each of whose threads has its own operands.
#pragma once

#include "emulated.h"

namespace daedalus::cuda {

constexpr unsigned count = 1024; ///< of operands, each of one thread

using Values = std::vector<uint64_t>;

/// %r of the type `to`, made by the body of %a, %b and %c of the type `from`.
std::string elementKernel(const std::string &from, const std::string &to, const std::string &body);

/// What it makes of operands of so many bits.
Values run(const std::string &kernel, unsigned from, unsigned to, const Values &a, const Values &b,
           const Values &c);

Values random(unsigned bits, unsigned seed);

} // namespace daedalus::cuda
