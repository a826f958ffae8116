// Tokens for a program in program order: from the dependences between modules to wait and signal masks.
//
// For each ordered pair of modules a consumer needs the running maximum of the producer's index; where it
// increases and no other token says so already (vector clocks), that producer signals and that consumer
// waits. The k-th wait of a pair takes the token of the k-th signal, because modules start and retire in
// order; and program order is a legal execution, because every producer stands before its consumer.
#pragma once

#include "daedalus/isa/instructions.h"
#include "daedalus/isa/machine.h"
#include "daedalus/support/span.h"

#include <cstdint>
#include <vector>

namespace daedalus::isa {

/// The consumer waits for a token that the producer signals: indices of instructions of different modules.
struct TokenEdge {
  uint32_t producer = 0;
  uint32_t consumer = 0;

  friend bool operator==(const TokenEdge &x, const TokenEdge &y) {
    return x.producer == y.producer && x.consumer == y.consumer;
  }
};

/// The tokens that a program needs, sorted by consumer; the masks of `instructions` play no role.
/// Instructions must be legal. Bit b of `readOnlyBases`: base register b is only read. `extra` asks for more
/// tokens than needed: an edge of it (sorted by consumer) is kept where its producer is after the last one of
/// its pair. No counter comes to stand above the token limit less the queue depth; where one would, a
/// consumer waits for a later producer instead.
std::vector<TokenEdge> computeTokens(Span<const Instruction> instructions, const Machine &machine,
                                     uint16_t readOnlyBases = 0, Span<const TokenEdge> extra = {});

/// Sets all masks: what the edges say and nothing else.
void applyTokens(std::vector<Instruction> &instructions, Span<const TokenEdge> edges);

/// computeTokens and applyTokens; returns the edges.
std::vector<TokenEdge> assignTokens(std::vector<Instruction> &instructions, const Machine &machine,
                                    uint16_t readOnlyBases = 0);

} // namespace daedalus::isa
