// Tokens by vector clocks. A clock holds, for each module, the index of the last instruction known to have
// ended; it is taken at an instruction's start, and a token carries it on, with its own instruction added.
#include "daedalus/isa/tokens.h"
#include "daedalus/isa/dependence.h"
#include "vector_clock.h"

#include <algorithm>

namespace daedalus::isa {
namespace {

class TokenBuilder {
public:
  TokenBuilder(Span<const Instruction> instructions, const Machine &machine, uint16_t readOnlyBases,
               Span<const TokenEdge> extra)
      : instructions(instructions), extra(extra), tracker(machine, readOnlyBases),
        mostTokens(TokenCounterMax - machine.queueDepth) {}

  std::vector<TokenEdge> build() {
    for (uint32_t i = 0; i < instructions.size(); ++i)
      visit(i);
    std::vector<TokenEdge> all;
    for (auto &producer : edges)
      for (std::vector<TokenEdge> &pair : producer)
        all.insert(all.end(), pair.begin(), pair.end());
    std::stable_sort(all.begin(), all.end(),
                     [](const TokenEdge &x, const TokenEdge &y) { return x.consumer < y.consumer; });
    return all;
  }

private:
  struct Need {
    int64_t producer;
    unsigned module;
    bool forced;
  };

  void visit(uint32_t index) {
    const Dependences found = tracker.add(instructions[index]);
    const std::optional<Module> module = moduleOf(instructions[index]);
    if (!module) {
      ends.emplace_back();
      return;
    }
    const unsigned self = static_cast<unsigned>(*module);
    findExtraNeeds(index);
    for (unsigned other = 0; other < Modules; ++other)
      if (const int64_t last = found.last(static_cast<Module>(other)); last >= 0)
        needs.push_back({last, other, false});
    // The latest producers first: their clocks are the likeliest to cover the others.
    std::sort(needs.begin(), needs.end(), [](const Need &x, const Need &y) {
      return x.producer != y.producer ? x.producer > y.producer : x.forced > y.forced;
    });
    for (const Need &need : needs)
      satisfy(need, index, self);
    ends.push_back(clocks[self].withEnd(self, index));
  }

  void findExtraNeeds(uint32_t index) {
    needs.clear();
    for (; nextExtra < extra.size() && extra[nextExtra].consumer <= index; ++nextExtra) {
      const TokenEdge &edge = extra[nextExtra];
      const std::optional<Module> module = moduleOf(instructions[edge.producer]);
      if (edge.consumer == index && edge.producer < index && module &&
          module != moduleOf(instructions[index]))
        needs.push_back({edge.producer, static_cast<unsigned>(*module), true});
    }
  }

  void satisfy(const Need &need, uint32_t index, unsigned self) {
    std::vector<TokenEdge> &pair = edges[need.module][self];
    const int64_t last = pair.empty() ? -1 : int64_t(pair.back().producer);
    const bool known = clocks[self].known[need.module] >= need.producer;
    const bool waits = !pair.empty() && pair.back().consumer == index; // one token of a pair an instruction
    if (need.forced ? need.producer <= last || waits : known)
      return;
    addEdge(pair, {static_cast<uint32_t>(need.producer), index});
    clocks[self].merge(ends[static_cast<size_t>(need.producer)]);
  }

  /// Appends an edge; if as many tokens as allowed would be under way, the previous consumer waits for this
  /// producer too, and its own token goes.
  void addEdge(std::vector<TokenEdge> &pair, TokenEdge edge) {
    const auto open = std::upper_bound(pair.begin(), pair.end(), edge.producer,
                                       [](uint32_t p, const TokenEdge &e) { return p < e.consumer; });
    if (static_cast<size_t>(pair.end() - open) < mostTokens || open == pair.end())
      pair.push_back(edge);
    else
      pair.back().producer = edge.producer;
  }

  Span<const Instruction> instructions;
  Span<const TokenEdge> extra;
  size_t nextExtra = 0;
  std::vector<Need> needs; // of the instruction at hand
  DependenceTracker tracker;
  const size_t mostTokens;
  std::array<VectorClock, Modules> clocks; // at the start of the module's latest instruction
  std::vector<VectorClock> ends;           // of every instruction
  std::array<std::array<std::vector<TokenEdge>, Modules>, Modules> edges; // [producer][consumer]
};

} // namespace

std::vector<TokenEdge> computeTokens(Span<const Instruction> instructions, const Machine &machine,
                                     uint16_t readOnlyBases, Span<const TokenEdge> extra) {
  return TokenBuilder(instructions, machine, readOnlyBases, extra).build();
}

void applyTokens(std::vector<Instruction> &instructions, Span<const TokenEdge> edges) {
  for (Instruction &instruction : instructions) {
    setWaitMask(instruction, 0);
    setSignalMask(instruction, 0);
  }
  auto bit = [&](uint32_t index) {
    return static_cast<uint8_t>(1u << static_cast<unsigned>(*moduleOf(instructions[index])));
  };
  for (const TokenEdge &edge : edges) {
    Instruction &producer = instructions[edge.producer], &consumer = instructions[edge.consumer];
    setSignalMask(producer, signalMask(producer) | bit(edge.consumer));
    setWaitMask(consumer, waitMask(consumer) | bit(edge.producer));
  }
}

std::vector<TokenEdge> assignTokens(std::vector<Instruction> &instructions, const Machine &machine,
                                    uint16_t readOnlyBases) {
  std::vector<TokenEdge> edges = computeTokens(instructions, machine, readOnlyBases);
  applyTokens(instructions, edges);
  return edges;
}

} // namespace daedalus::isa
