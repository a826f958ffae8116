// Takes away whatever can go while the case still diverges: instructions by halves, then one by one, then counts
// of loops. A legal case stays legal: its tokens are computed anew and the verifier has the last word.
#include "daedalus/isa/tokens.h"
#include "daedalus/isa/verify.h"
#include "daedalus/simulator/cosim.h"

namespace daedalus::cosim {
namespace {

constexpr unsigned Attempts = 400;

class Shrinker {
public:
  Shrinker(const isa::Machine &machine, Case test, const std::function<bool(const Case &)> &diverges)
      : machine(machine), best(std::move(test)), diverges(diverges) {}

  Case shrink() {
    if (best.what == "legal" || best.what == "reset in mid-program") {
      dropInstructions();
      simplifyLoops();
    }
    return best;
  }

private:
  bool isLegal(const Case &test) const { return isa::verify(test.program, machine, 1).empty(); }

  bool attempt(Case candidate) {
    if (++attempts > Attempts)
      return false;
    for (isa::Instruction &instruction : candidate.program.instructions) {
      isa::setWaitMask(instruction, 0);
      isa::setSignalMask(instruction, 0);
    }
    isa::assignTokens(candidate.program.instructions, machine, 1);
    if (!isLegal(candidate) || !diverges(candidate))
      return false;
    best = std::move(candidate);
    return true;
  }

  void dropInstructions() {
    for (size_t step = best.program.instructions.size() / 2; step > 0; step /= 2)
      for (size_t at = 0; at + 1 < best.program.instructions.size();) {
        Case candidate = best;
        auto &list = candidate.program.instructions;
        const size_t last = std::min(at + step, list.size() - 1); // finish stays
        list.erase(list.begin() + at, list.begin() + last);
        if (!attempt(std::move(candidate)))
          at += step;
      }
  }

  void simplifyLoops() {
    for (size_t i = 0; i + 1 < best.program.instructions.size(); ++i)
      for (size_t loop = 0; loop < 6; ++loop) {
        Case candidate = best;
        if (shortenLoop(candidate.program.instructions[i], loop))
          attempt(std::move(candidate));
      }
  }

  static bool shortenLoop(isa::Instruction &instruction, size_t loop) {
    return std::visit(
        [&](auto &fields) {
          if constexpr (isHavingLoops<std::decay_t<decltype(fields)>>) {
            if (loop >= fields.loops.size() || fields.loops[loop].count == 1)
              return false;
            fields.loops[loop] = {};
            return true;
          }
          return false;
        },
        instruction);
  }
  template <class I>
  static constexpr bool isHavingLoops = std::is_same_v<I, isa::Load> || std::is_same_v<I, isa::Gemm> ||
                                        std::is_same_v<I, isa::Vector> || std::is_same_v<I, isa::Store>;

  const isa::Machine &machine;
  Case best;
  const std::function<bool(const Case &)> &diverges;
  unsigned attempts = 0;
};

} // namespace

Case shrink(const isa::Machine &machine, Case test, const std::function<bool(const Case &)> &diverges) {
  return Shrinker(machine, std::move(test), diverges).shrink();
}

} // namespace daedalus::cosim
