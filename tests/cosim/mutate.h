// Mutations of a program: instructions dropped, doubled and swapped, fields changed, runs cut short. What
// comes out is made of legal instructions; whether it is a legal program is the verifier's to say.
#pragma once

#include "cosim/random.h"
#include "daedalus/isa/encoding.h"
#include "daedalus/isa/instruction_fields.h"
#include "daedalus/isa/program.h"

#include <algorithm>

namespace daedalus::cosim {

class Mutator {
public:
  Mutator(const isa::Machine &machine, uint64_t seed) : machine(machine), random(seed) {}

  /// Without finish, and without a thought of tokens.
  void mutate(std::vector<isa::Instruction> &program) {
    for (int64_t i = random.between(1, 6); i > 0; --i)
      mutateOnce(program);
  }

private:
  void mutateOnce(std::vector<isa::Instruction> &program) {
    const size_t at = pick(program), other = pick(program);
    const int64_t kind = random.between(0, 99);
    if (kind < 12 && program.size() > 1)
      program.erase(program.begin() + static_cast<std::ptrdiff_t>(at));
    else if (kind < 20)
      program.insert(program.begin() + static_cast<std::ptrdiff_t>(other), isa::Instruction(program[at]));
    else if (kind < 32)
      std::swap(program[at], program[other]);
    else if (kind < 60)
      cutLoad(program);
    else
      changeField(program[at]);
  }

  size_t pick(const std::vector<isa::Instruction> &program) {
    return static_cast<size_t>(random.between(0, static_cast<int64_t>(program.size()) - 1));
  }

  /// A LOAD that writes parts of rows: from the first one at random on.
  void cutLoad(std::vector<isa::Instruction> &program) {
    const size_t from = pick(program);
    for (size_t i = 0; i < program.size(); ++i)
      if (auto *load = std::get_if<isa::Load>(&program[(from + i) % program.size()])) {
        isa::Load changed = *load;
        const int64_t n = machine.n, less = random.between(1, random.chance(70) ? n - 1 : 5 * n);
        changed.tailFill = changed.tailFill && random.chance(30);
        if (random.chance(30))
          changed.dst += static_cast<uint32_t>(random.between(1, n - 1));
        changed.runBytes = static_cast<uint16_t>(std::max<int64_t>(1, changed.runBytes - less));
        if (isa::illegalReason(isa::Instruction(changed), machine).empty())
          *load = changed;
        return;
      }
  }

  void changeField(isa::Instruction &instruction) {
    isa::Instruction changed = instruction;
    std::visit(
        [&](auto &fields) {
          using Info = isa::InstructionInfo<std::decay_t<decltype(fields)>>;
          if (Info::fields.empty())
            return;
          const int64_t last = static_cast<int64_t>(Info::fields.size()) - 1;
          const isa::Field *chosen = &Info::fields.front() + random.between(0, last);
          Info::visit(fields, [&](const isa::Field &field, auto &value) {
            if (&field == chosen)
              value = static_cast<std::decay_t<decltype(value)>>(changedValue(field, int64_t(value)));
          });
        },
        changed);
    if (isa::moduleOf(changed) && isa::illegalReason(changed, machine).empty())
      instruction = changed;
  }

  int64_t changedValue(const isa::Field &field, int64_t value) {
    const int64_t least = field.isSigned ? -field.maximum - 1 : field.minimum, kind = random.between(0, 99);
    const int64_t next = kind < 60   ? value + random.between(-3, 3)
                         : kind < 80 ? value + random.between(-64, 64)
                         : kind < 90 ? random.between(least, std::min<int64_t>(field.maximum, least + 100))
                                     : random.between(least, field.maximum);
    return std::clamp(next, least, field.maximum);
  }

  const isa::Machine &machine;
  Random random;
};

} // namespace daedalus::cosim
