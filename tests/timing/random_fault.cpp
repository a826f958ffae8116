// One function a cause. A fault may be missed (the changed limit was never reached): then the program runs to
// its end on all engines, which is compared as well.
#include "random_fault.h"

#include <algorithm>

namespace daedalus::timing {
namespace {

using isa::Instruction;
constexpr unsigned FreeBase = 15;

/// A random instruction of one of the types `I`, or null.
template <class... I> Instruction *pick(Random &random, TestProgram &program) {
  std::vector<Instruction *> found;
  for (Instruction &instruction : program.instructions)
    if ((std::holds_alternative<I>(instruction) || ...))
      found.push_back(&instruction);
  return found.empty() ? nullptr : found[random.below(found.size())];
}

/// Where FINISH is, or would be.
size_t finishIndex(const TestProgram &program) {
  size_t index = 0;
  while (index < program.instructions.size() &&
         !std::holds_alternative<isa::Finish>(program.instructions[index]))
    ++index;
  return index;
}

void insert(Random &random, TestProgram &program, const Instruction &instruction, unsigned copies) {
  auto &list = program.instructions;
  list.insert(list.begin() + random.below(finishIndex(program) + 1), copies, instruction);
}

std::pair<isa::Module, isa::Module> twoModules(Random &random) {
  const unsigned first = random.below(4), second = (first + 1 + random.below(3)) % 4;
  return {static_cast<isa::Module>(first), static_cast<isa::Module>(second)};
}

uint8_t bit(isa::Module module) {
  return 1u << clocked::code(module);
}

/// Consumer waits for more tokens than there are.
void starve(Random &random, TestProgram &program) {
  const auto [producer, consumer] = twoModules(random);
  int left = 0;
  for (size_t i = 0; i < finishIndex(program); ++i) {
    const Instruction &instruction = program.instructions[i];
    if (isa::moduleOf(instruction) == producer)
      left += (isa::signalMask(instruction) & bit(consumer)) != 0;
    if (isa::moduleOf(instruction) == consumer)
      left -= (isa::waitMask(instruction) & bit(producer)) != 0;
  }
  insert(random, program, isa::Nop{bit(producer), 0, consumer, 0}, std::max(left, 0) + 1);
}

void overflow(Random &random, TestProgram &program) {
  const auto [producer, consumer] = twoModules(random);
  insert(random, program, isa::Nop{0, bit(consumer), producer, 0}, random.between(250, 300));
  if (random.percent(30)) // increments and decrements meet
    insert(random, program, isa::Nop{bit(producer), 0, consumer, 0}, random.below(40));
}

/// A LOAD or STORE gets a base register of its own, which `change` then spoils.
template <class Change> void spoilBase(Random &random, TestProgram &program, Change change) {
  Instruction *instruction = pick<isa::Load, isa::Store>(random, program);
  if (!instruction || program.setup.programAddress > Code + 0x1000)
    return;
  auto useFreeBase = [&](auto &transfer) {
    program.setup.bases[FreeBase] = program.setup.bases[transfer.base];
    transfer.base = FreeBase;
    change(program.setup.bases[FreeBase], transfer.offset);
  };
  if (auto *load = std::get_if<isa::Load>(instruction))
    useFreeBase(*load);
  else
    useFreeBase(std::get<isa::Store>(*instruction));
}

/// Leaves one instruction at least.
void dropFinish(TestProgram &program) {
  program.instructions.resize(std::max<size_t>(1, finishIndex(program)));
}

void busError(Random &random, TestProgram &program) {
  // Of several faults in one program: no STORE may reach the program, which would change it while it runs.
  if (program.setup.programAddress > Code + 0x1000 || program.setup.bases[FreeBase].limit)
    return;
  if (random.percent(25)) { // the end of the program lies past the memory
    const unsigned inside = random.below(program.instructions.size());
    program.setup.programAddress = DramBytes - inside * isa::InstructionBytes;
    return;
  }
  spoilBase(random, program, [&](clocked::Base &base, uint32_t offset) {
    base.address = DramBytes - random.below(offset + 200);
  });
}

void addressLimit(Random &random, TestProgram &program) {
  if (random.percent(25)) { // FETCH's, somewhere in the program
    program.setup.programLimit = random.below(program.instructions.size() * isa::InstructionBytes);
    return;
  }
  spoilBase(random, program,
            [&](clocked::Base &base, uint32_t offset) { base.limit = offset + random.below(300); });
}

/// On a channel that the program uses, most of the time.
void memoryTimeout(Random &random, TestProgram &program) {
  program.setup.silence.channel = static_cast<clocked::Channel>(random.between(1, 5));
  program.setup.silence.after =
      random.percent(20) ? random.below(3) : random.below(random.percent(50) ? 40 : 400);
}

void spoilRows(Random &random, const isa::Machine &machine, isa::Load &load) {
  const uint32_t n = machine.n, end = machine.bytes(load.scope);
  load.dst = load.diagonal ? end - n * random.below(n) : end - random.below(load.runBytes + 40);
}
void spoilRows(Random &random, const isa::Machine &machine, isa::Store &store) {
  store.src = machine.rows(isa::Scope::Out) - random.below(20);
}
void spoilRows(Random &random, const isa::Machine &machine, isa::Gemm &gemm) {
  if (gemm.window > 1 && random.percent(30)) {
    gemm.line = 2 * random.between(-120, 120) + 1;
    return;
  }
  switch (random.below(3)) {
  case 0:
    gemm.inp = machine.rows(isa::Scope::Inp) - random.below(8);
    break;
  case 1:
    gemm.wgt = machine.rows(isa::Scope::Wgt) - random.below(5);
    break;
  default:
    gemm.acc = machine.rows(isa::Scope::Acc) - random.below(8);
  }
}
void spoilRows(Random &random, const isa::Machine &machine, isa::Vector &vector) {
  const bool narrow = vector.aScope == isa::Scope::Param;
  switch (random.below(isa::looksUp(vector.op) ? 3 : 2)) {
  case 0:
    vector.dst = machine.rows(vector.dstScope) - random.below(8);
    break;
  case 1:
    vector.a = (narrow ? machine.paramBytes / machine.n : machine.rows(vector.aScope)) - random.below(8);
    break;
  default:
    vector.table = random.below(8);
  }
}

void scratchpadRange(Random &random, TestProgram &program) {
  Instruction *instruction = pick<isa::Load, isa::Gemm, isa::Vector, isa::Store>(random, program);
  if (!instruction)
    return;
  std::visit(
      [&](auto &i) {
        using I = std::decay_t<decltype(i)>;
        if constexpr (!std::is_same_v<I, isa::Nop> && !std::is_same_v<I, isa::Mark> &&
                      !std::is_same_v<I, isa::Finish>)
          spoilRows(random, program.setup.machine, i);
      },
      *instruction);
}

void illegalEncoding(Random &random, TestProgram &program) {
  isa::InstructionWord &word = program.setup.program[random.below(program.setup.program.size())];
  if (random.percent(50))
    word[3] |= 1u << random.below(8); // reserved bits of the header
  else
    word[0] = random.between(isa::OpcodeCount, 255);
}

} // namespace

void injectFault(Random &random, TestProgram &program, isa::FaultCause cause) {
  using C = isa::FaultCause;
  switch (cause) {
  case C::None:
  case C::IllegalEncoding:
    break;
  case C::MissingFinish:
    dropFinish(program);
    break;
  case C::NoProgress:
    starve(random, program);
    break;
  case C::BusError:
    busError(random, program);
    break;
  case C::AddressLimit:
    addressLimit(random, program);
    break;
  case C::ScratchpadRange:
    scratchpadRange(random, program);
    break;
  case C::CounterOverflow:
    overflow(random, program);
    break;
  case C::MemoryTimeout:
    memoryTimeout(random, program);
    break;
  }
  encodeProgram(program);
  if (cause == C::IllegalEncoding)
    illegalEncoding(random, program);
}

} // namespace daedalus::timing
