// Modules execute and end their instructions in the order of the program.
#include "daedalus/simulator/token_givers.h"

namespace daedalus::sim {

TokenGivers tokenGivers(Span<const isa::Instruction> instructions) {
  constexpr size_t modules = isa::ModuleCount;
  std::array<std::array<std::vector<uint32_t>, modules>, modules> given; // [giver][taker], in order
  std::array<std::array<size_t, modules>, modules> taken{};
  for (uint32_t i = 0; i < instructions.size(); ++i)
    if (const auto module = isa::moduleOf(instructions[i]))
      for (size_t taker = 0; taker < modules; ++taker)
        if (isa::signalMask(instructions[i]) >> taker & 1)
          given[static_cast<size_t>(*module)][taker].push_back(i);
  TokenGivers givers(instructions.size());
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    givers[i].fill(NoInstruction);
    const auto module = isa::moduleOf(instructions[i]);
    for (size_t giver = 0; module && giver < modules; ++giver) {
      const auto &tokens = given[giver][static_cast<size_t>(*module)];
      size_t &next = taken[giver][static_cast<size_t>(*module)];
      if ((isa::waitMask(instructions[i]) >> giver & 1) && next < tokens.size())
        givers[i][giver] = tokens[next++];
    }
  }
  return givers;
}

} // namespace daedalus::sim
