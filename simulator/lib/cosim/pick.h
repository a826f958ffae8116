// Random choice of an instruction.
#pragma once

#include "cosim/random.h"
#include "daedalus/isa/instructions.h"

#include <vector>

namespace daedalus::cosim {

/// A random instruction that `wanted` says yes to, or the number of instructions.
template <class Wanted>
uint32_t pickIf(const std::vector<isa::Instruction> &list, Random &random, Wanted wanted) {
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < list.size(); ++i)
    if (wanted(list[i]))
      found.push_back(i);
  return found.empty() ? static_cast<uint32_t>(list.size())
                       : found[random.between(0, int64_t(found.size()) - 1)];
}

/// A random instruction of one of the types, or the number of instructions.
template <class... I> uint32_t pick(const std::vector<isa::Instruction> &list, Random &random) {
  return pickIf(list, random,
                [](const isa::Instruction &one) { return (std::holds_alternative<I>(one) || ...); });
}

} // namespace daedalus::cosim
