// Takes away whatever can go while the case still diverges: surroundings, instructions by halves and then one
// by one, iterations, and values of fields. Tokens that remain between remaining instructions stay, the
// verifier's rules are kept, and a fault stays the only one.
#include "cosim/random_fault.h"

#include "daedalus/isa/instruction_fields.h"
#include "daedalus/isa/tokens.h"

#include <algorithm>
#include <deque>

namespace daedalus::cosim {
namespace {

using namespace isa;

constexpr unsigned Attempts = 3000;

uint16_t readOnlyBases(const Program &program) {
  uint16_t mask = 0;
  for (unsigned i = 0; i < BaseRegisters; ++i)
    mask |= static_cast<uint16_t>(program.bases[i].readOnly << i);
  return mask;
}

/// The tokens of a program: who signals to whom, and the waits and signals that are left over, as faults have
/// them.
struct Tokens {
  std::vector<TokenEdge> edges;
  std::vector<std::pair<uint8_t, uint8_t>> loose; ///< wait and signal masks, by instruction
};

Tokens tokensOf(const std::vector<Instruction> &instructions) {
  Tokens tokens;
  tokens.loose.resize(instructions.size());
  std::array<std::array<std::deque<uint32_t>, ModuleCount>, ModuleCount> given; // [producer][consumer]
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    const auto module = moduleOf(instructions[i]);
    if (!module)
      continue;
    const auto own = static_cast<unsigned>(*module);
    for (unsigned other = 0; other < ModuleCount; ++other) {
      if (waitMask(instructions[i]) >> other & 1) {
        auto &queue = given[other][own];
        if (queue.empty()) {
          tokens.loose[i].first |= static_cast<uint8_t>(1u << other);
        } else {
          tokens.edges.push_back({queue.front(), i});
          queue.pop_front();
        }
      }
      if (signalMask(instructions[i]) >> other & 1)
        given[own][other].push_back(i);
    }
  }
  for (unsigned producer = 0; producer < ModuleCount; ++producer)
    for (unsigned consumer = 0; consumer < ModuleCount; ++consumer)
      for (uint32_t left : given[producer][consumer])
        tokens.loose[left].second |= static_cast<uint8_t>(1u << consumer);
  return tokens;
}

/// The kept tokens and those that the dependences ask for.
void setTokens(Program &program, const Machine &machine, const Tokens &tokens) {
  applyTokens(program.instructions,
              computeTokens(program.instructions, machine, readOnlyBases(program), tokens.edges));
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    if (!moduleOf(program.instructions[i]))
      continue;
    setWaitMask(program.instructions[i], waitMask(program.instructions[i]) | tokens.loose[i].first);
    setSignalMask(program.instructions[i], signalMask(program.instructions[i]) | tokens.loose[i].second);
  }
}

/// The case without the instructions [begin, end); nothing if the fault is among them.
std::optional<Case> without(const Case &test, const Machine &machine, uint32_t begin, uint32_t end) {
  const auto isGone = [&](uint32_t index) { return index >= begin && index < end; };
  const auto moved = [&](uint32_t index) {
    return index < begin ? index : std::max(index, end) - (end - begin);
  };
  if (test.faulty && isGone(*test.faulty))
    return std::nullopt;
  const Tokens old = tokensOf(test.program.instructions);
  Case result = test;
  result.program.instructions.clear();
  Tokens kept;
  for (uint32_t i = 0; i < test.program.instructions.size(); ++i) {
    if (isGone(i))
      continue;
    result.program.instructions.push_back(test.program.instructions[i]);
    kept.loose.push_back(old.loose[i]);
  }
  for (const TokenEdge &edge : old.edges)
    if (!isGone(edge.producer) && !isGone(edge.consumer))
      kept.edges.push_back({moved(edge.producer), moved(edge.consumer)});
  for (auto &[index, word] : result.words)
    index = moved(index);
  if (result.faulty)
    result.faulty = moved(*result.faulty);
  if (result.againTo)
    result.againTo = moved(*result.againTo);
  setTokens(result.program, machine, kept);
  return result;
}

class Shrinker {
public:
  Shrinker(const Machine &machine, Case test, const std::function<bool(const Case &)> &diverges)
      : machine(machine), best(std::move(test)), diverges(diverges) {}

  Case shrink() {
    simplifySurroundings();
    for (size_t before = SIZE_MAX; best.program.instructions.size() < before;) {
      before = best.program.instructions.size();
      dropInstructions();
      for (uint32_t i = 0; i < best.program.instructions.size(); ++i)
        simplifyFields(i);
    }
    simplifySurroundings();
    return best;
  }

private:
  bool attempt(const Case &candidate) {
    if (attempts >= Attempts || !isComparable(candidate, machine))
      return false;
    ++attempts;
    if (!diverges(candidate))
      return false;
    best = candidate;
    return true;
  }

  template <class Change> void attemptWith(Change change) {
    Case candidate = best;
    change(candidate);
    attempt(candidate);
  }

  void simplifySurroundings() {
    attemptWith([](Case &test) { test.againTo.reset(); });
    attemptWith([](Case &test) { test.host.clear(); });
    for (size_t i = best.host.size(); i-- > 0;)
      attemptWith([&](Case &test) { test.host.erase(test.host.begin() + static_cast<std::ptrdiff_t>(i)); });
    if (best.resetAt)
      attemptWith([](Case &test) {
        test.resetAt = test.resetsBefore = 0;
        test.resetBy = ResetBy::Control;
        test.what = "legal";
      });
    attemptWith(
        [](Case &test) { test.resetAt = test.resetsBefore = 0; }); // behind a fault, which keeps its name
    attemptWith([](Case &test) { test.resetsBefore = 0; });
    attemptWith([](Case &test) { test.resetBy = ResetBy::Control; });
    attemptWith([](Case &test) { test.hardware.hostSeed = 0; });
    attemptWith([](Case &test) { test.hardware.stateSeed = 0; });
    attemptWith([](Case &test) { test.hardware.counted = 0; });
    attemptWith([](Case &test) { test.keepsInterrupt = false; });
    attemptWith([](Case &test) { test.memory.throttlePercent = 0; });
    attemptWith([](Case &test) { test.memory.latencySpread = 0; });
    attemptWith([](Case &test) { test.memory.errorAddress = test.memory.errorBytes = test.memory.seed = 0; });
    attemptWith([](Case &test) { test.readLatency = 0; });
    attemptWith([](Case &test) { test.writeLatency = 0; });
    attemptWith([](Case &test) {
      auto &words = test.words;
      const auto isTail = [&](const auto &word) { return word.first >= test.program.instructions.size(); };
      words.erase(std::remove_if(words.begin(), words.end(), isTail), words.end());
    });
    attemptWith([](Case &test) {
      for (unsigned base = 0; base < BaseRegisters; ++base)
        if (!test.program.bases[base].limit)
          test.bases[base] = 0;
    });
  }

  /// FINISH, at the end, stays.
  void dropInstructions() {
    const auto last = [&] { return static_cast<uint32_t>(best.program.instructions.size()) - 1; };
    if (best.program.instructions.empty())
      return;
    for (uint32_t step = std::max(1u, last() / 2); step > 0; step /= 2)
      for (uint32_t at = last(); at > 0;) { // from the end: what comes first fills the scratchpads
        const uint32_t begin = at > step ? at - step : 0, end = std::min(at, last());
        at = begin;
        if (const auto candidate = without(best, machine, begin, end); candidate && begin < end)
          attempt(*candidate);
      }
  }

  /// A window goes as a whole: its fields are legal together alone.
  void dropWindow(uint32_t index) {
    Case candidate = best;
    auto *gemm = std::get_if<Gemm>(&candidate.program.instructions[index]);
    if (!gemm || !gemm->window)
      return;
    gemm->window = gemm->line = gemm->lead = gemm->step = 0;
    setTokens(candidate.program, machine, tokensOf(best.program.instructions));
    attempt(candidate);
  }

  void simplifyFields(uint32_t index) {
    dropWindow(index);
    std::visit(
        [&](const auto &fields) {
          using I = std::decay_t<decltype(fields)>;
          for (size_t field = 0; field < InstructionInfo<I>::fields.size(); ++field)
            simplifyField<I>(index, InstructionInfo<I>::fields[field]);
        },
        Instruction(best.program.instructions[index]));
  }

  /// The value that it has in a new instruction, or half of it.
  template <class I> void simplifyField(uint32_t index, const Field &field) {
    if (field.kind == FieldKind::ModuleMask || field.kind == FieldKind::Module ||
        std::string(field.name) == "base")
      return;
    if (set<I>(index, field, [&](int64_t) { return field.initial; }) || field.kind != FieldKind::Number)
      return;
    for (unsigned i = 0; i < 16; ++i)
      if (!set<I>(index, field, [&](int64_t value) { return value / 2; }))
        return;
  }

  /// Whether the case diverges with the new value, which is then kept.
  template <class I, class Change> bool set(uint32_t index, const Field &field, Change change) {
    Case candidate = best;
    I &instruction = std::get<I>(candidate.program.instructions[index]);
    bool changed = false;
    InstructionInfo<I>::visit(instruction, [&](const Field &at, auto &value) {
      if (&at != &field)
        return;
      const int64_t old = static_cast<int64_t>(value), now = std::max(change(old), field.minimum);
      changed = now != old;
      value = static_cast<std::decay_t<decltype(value)>>(now);
    });
    if (!changed || !illegalReason(candidate.program.instructions[index], machine).empty())
      return false;
    setTokens(candidate.program, machine, tokensOf(best.program.instructions));
    return attempt(candidate);
  }

  const Machine &machine;
  Case best;
  const std::function<bool(const Case &)> &diverges;
  unsigned attempts = 0;
};

} // namespace

Case shrink(const Machine &machine, const Case &test, const std::function<bool(const Case &)> &diverges) {
  return Shrinker(machine, test, diverges).shrink();
}

} // namespace daedalus::cosim
