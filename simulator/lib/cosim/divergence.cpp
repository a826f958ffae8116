// A divergence as lines for people.
#include "cosim/lockstep.h"

#include <algorithm>

namespace daedalus::cosim {
namespace {

std::string placeText(const Divergence &divergence) {
  if (divergence.scope == isa::Scope::None)
    return "DRAM address " + std::to_string(divergence.address);
  return std::string(isa::name(divergence.scope)) + " row " + std::to_string(divergence.row) + ", lane " +
         std::to_string(divergence.lane) + " (byte " + std::to_string(divergence.address) + ")";
}

std::string padded(const std::string &word, size_t width) {
  return word + std::string(width > word.size() ? width - word.size() : 0, ' ');
}

} // namespace

std::string text(const Divergence &divergence) {
  std::string text =
      "first divergence, cycle " + std::to_string(divergence.cycle) + ": " + divergence.what + "\n";
  if (divergence.instruction)
    text += "  instruction " + std::to_string(*divergence.instruction) + " of " +
            isa::name(divergence.module) + ": " + divergence.disassembly + "\n";
  if (!divergence.node.empty())
    text += "  node " + divergence.node + "\n";
  if (divergence.kind == Divergence::Kind::Write || divergence.kind == Divergence::Kind::Dram ||
      divergence.kind == Divergence::Kind::Scratchpad)
    text += "  " + placeText(divergence) + "\n";
  const size_t width = std::max(divergence.engines[0].size(), divergence.engines[1].size());
  for (unsigned side = 0; side < 2; ++side)
    text += "    " + padded(divergence.engines[side], width) + "  " + divergence.values[side] + "\n";
  for (unsigned side = 0; side < 2; ++side) {
    if (divergence.events[side].empty())
      continue;
    text += "  last events of " + divergence.engines[side] + ":\n";
    for (const std::string &event : divergence.events[side])
      text += "    " + event + "\n";
  }
  return text;
}

} // namespace daedalus::cosim
