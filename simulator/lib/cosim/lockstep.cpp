// Both devices advance by the same number of cycles at a time; then what both have retired is compared and
// forgotten, so memory stays bounded however long the run. Behind a divergence they run on: what comes to
// light later may have happened earlier, and only the stop tells which instruction faulted.
#include "cosim/lockstep.h"

#include "daedalus/isa/assembly.h"

#include <algorithm>

namespace daedalus::cosim {

using isa::CounterModule;
using Kind = Divergence::Kind;
namespace reg = isa::reg;

namespace {

constexpr uint64_t Chunk = 1024;
constexpr uint64_t Behind = 20'000; ///< cycles that both run on behind a divergence
constexpr size_t MostFound = 8;

} // namespace

Lockstep::Lockstep(sim::Device &a, const std::string &nameA, sim::Device &b, const std::string &nameB,
                   const isa::Program &program, Options options)
    : sides{Side{a, nameA}, Side{b, nameB}}, program(program), options(std::move(options)) {
  for (Side &side : sides) {
    side.device.observe(&side.journal);
    side.device.trace(&side.spans);
  }
}

Lockstep::~Lockstep() {
  for (Side &side : sides) {
    if (!side.stopped)
      side.device.writeRegister(reg::Control, reg::ControlReset);
    side.device.observe(nullptr);
    side.device.trace(nullptr);
  }
}

void Lockstep::start() {
  for (Side &side : sides)
    side.device.writeRegister(reg::Control, reg::ControlStart);
}

void Lockstep::advance(uint64_t cycles) {
  for (unsigned side = 0; side < 2; ++side)
    advanceSide(side, cycles);
  advanced += cycles;
  compareRetired();
  compareSpans();
}

void Lockstep::advanceSide(unsigned side, uint64_t cycles) {
  sides[side].stopped = sides[side].stopped || sides[side].device.advance(cycles);
}

std::optional<Divergence> Lockstep::run() {
  uint64_t behind = 0, alone = 0;
  while (!areStopped()) {
    advance(Chunk);
    behind += found.empty() ? 0 : Chunk;
    alone += sides[0].stopped != sides[1].stopped ? Chunk : 0;
    const bool isHanging =
        !areStopped() && ((alone > Patience && options.cycles) || advanced > options.mostCycles);
    if (isHanging && found.empty())
      reportHang();
    if (isHanging || (behind > Behind && !mayBeExcused()))
      return first();
  }
  compareRetired();
  compareSpans();
  compareStop();
  return first();
}

/// What a faulting instruction writes differs shortly before its fault is set, and then nothing starts any
/// more; but what has started runs to its end, however long that takes (R23).
bool Lockstep::mayBeExcused() const {
  const uint64_t lastStart = std::max(sides[0].journal.lastStart(), sides[1].journal.lastStart());
  return found.front().kind == Kind::Write && lastStart <= found.front().cycle + Behind;
}

void Lockstep::compareRetired() {
  for (unsigned m = 0; m < isa::CounterModuleCount; ++m) {
    const auto module = static_cast<CounterModule>(m);
    auto &x = sides[0].journal.retirements(module), &y = sides[1].journal.retirements(module);
    while (!x.empty() && !y.empty()) {
      compareInstructions(x.front(), y.front());
      sides[0].journal.forget(module);
      sides[1].journal.forget(module);
    }
  }
}

void Lockstep::compareInstructions(const sim::InstructionEvent &x, const sim::InstructionEvent &y) {
  if (x.index != y.index) {
    if (!isInteresting(std::min(x.end, y.end)))
      return;
    Divergence divergence = make(Kind::Retirement, std::min(x.end, y.end), x);
    divergence.what = "the order of retirement differs";
    divergence.values = {"instruction " + std::to_string(x.index), "instruction " + std::to_string(y.index)};
    return add(std::move(divergence));
  }
  const bool starts = x.start != y.start;
  const uint64_t cycle = starts ? std::min(x.start, y.start) : std::min(x.end, y.end);
  if (options.cycles && (starts || x.end != y.end) && isInteresting(cycle)) {
    Divergence divergence = make(starts ? Kind::Start : Kind::End, cycle, x);
    divergence.what = starts ? "it starts in different cycles" : "it ends in different cycles";
    const auto text = [](const sim::InstructionEvent &event) {
      return "cycles " + std::to_string(event.start) + " to " + std::to_string(event.end);
    };
    divergence.values = {text(x), text(y)};
    add(std::move(divergence));
  }
  compareWritesOf(x);
}

void Lockstep::compareSpans() {
  for (unsigned m = 0; m < isa::CounterModuleCount; ++m) {
    const auto module = static_cast<CounterModule>(m);
    auto &x = sides[0].spans.of(module), &y = sides[1].spans.of(module);
    for (; !x.empty() && !y.empty(); x.pop_front(), y.pop_front())
      if (options.cycles && !(x.front() == y.front()))
        compareSpans(x.front(), y.front());
  }
}

/// Two that differ: the first cycle in which they do.
void Lockstep::compareSpans(const sim::CycleSpan &x, const sim::CycleSpan &y) {
  const bool isSame = x.first == y.first && x.what == y.what && x.instruction == y.instruction;
  const uint64_t cycle = isSame ? std::min(x.end, y.end) : std::min(x.first, y.first);
  if (!isInteresting(cycle))
    return;
  Divergence divergence = make(Kind::Class, cycle, std::min(x.instruction, y.instruction));
  divergence.module = x.module;
  divergence.what = "what the module does in its cycles differs";
  const auto text = [](const sim::CycleSpan &span) {
    const bool hasInstruction = span.instruction != sim::NoInstruction;
    return std::string(isa::name(span.what)) + " in cycles " + std::to_string(span.first) + " to " +
           std::to_string(span.end - 1) +
           (hasInstruction ? " for instruction " + std::to_string(span.instruction) : "");
  };
  divergence.values = {text(x), text(y)};
  add(std::move(divergence));
}

void Lockstep::compareWritesOf(const sim::InstructionEvent &event) {
  if (!options.writes)
    return;
  const std::array<const Writes *, 2> writes = {&sides[0].journal.writesOf(event.index),
                                                &sides[1].journal.writesOf(event.index)};
  const auto difference = compareWrites(*writes[0], *writes[1]);
  if (!difference || !isInteresting(difference->cycle))
    return;
  Divergence divergence = make(Kind::Write, difference->cycle, event);
  setPlace(divergence, *difference);
  for (unsigned side = 0; side < 2; ++side)
    divergence.values[side] = valueText(*writes[side], *difference, side);
  divergence.what = "its writes differ";
  add(std::move(divergence));
}

void Lockstep::setPlace(Divergence &divergence, const WriteDifference &difference) const {
  divergence.scope = difference.scope;
  divergence.address = difference.address;
  if (difference.scope == isa::Scope::None)
    return;
  const isa::Machine &machine = sides[0].device.machine();
  const uint32_t row = machine.sliceBytes(difference.scope);
  divergence.row = difference.address / row;
  divergence.lane =
      static_cast<unsigned>(difference.address % row / (difference.scope == isa::Scope::Acc ? 4 : 1));
}

/// The element that holds the byte: a lane of ACC has four bytes.
std::string Lockstep::valueText(const Writes &writes, const WriteDifference &difference,
                                unsigned side) const {
  if (!difference.at[side])
    return "not written";
  const size_t at = *difference.at[side], inElement = difference.address % 4;
  if (difference.scope != isa::Scope::Acc || at < inElement || at - inElement + 4 > writes.bytes.size())
    return std::to_string(static_cast<int8_t>(writes.bytes[at]));
  uint32_t value = 0;
  for (unsigned i = 0; i < 4; ++i)
    value |= uint32_t(writes.bytes[at - inElement + i]) << 8 * i;
  return std::to_string(static_cast<int32_t>(value));
}

bool Lockstep::isInteresting(uint64_t cycle) const {
  return found.size() < MostFound || cycle < found.back().cycle;
}

Divergence Lockstep::make(Kind kind, uint64_t cycle, std::optional<uint32_t> instruction) const {
  Divergence divergence;
  divergence.kind = kind;
  divergence.cycle = cycle;
  divergence.instruction = instruction;
  if (instruction && *instruction < program.instructions.size())
    divergence.disassembly = isa::disassemble(program.instructions[*instruction]);
  if (instruction && options.nameOf)
    divergence.node = options.nameOf(*instruction);
  for (unsigned side = 0; side < 2; ++side) {
    divergence.engines[side] = sides[side].name;
    divergence.events[side] = sides[side].journal.recent(options.cycles ? cycle : ~uint64_t(0));
  }
  return divergence;
}

Divergence Lockstep::make(Kind kind, uint64_t cycle, const sim::InstructionEvent &event) const {
  Divergence divergence = make(kind, cycle, event.index);
  divergence.module = event.module;
  return divergence;
}

void Lockstep::add(Divergence divergence) {
  const auto isBefore = [](const Divergence &x, const Divergence &y) {
    const auto place = [](const Divergence &d) { return std::make_pair(d.cycle, d.kind == Kind::Class); };
    return place(x) < place(y); // what else differs says more than the class
  };
  const auto after = std::upper_bound(found.begin(), found.end(), divergence, isBefore);
  found.insert(after, std::move(divergence));
  if (found.size() > MostFound)
    found.pop_back();
}

/// What a faulting instruction writes has no promise.
std::optional<Divergence> Lockstep::first() {
  std::optional<uint32_t> faulty;
  for (Side &side : sides)
    if (side.stopped &&
        side.device.readRegister(reg::FaultCause) != static_cast<uint32_t>(isa::FaultCause::None))
      faulty = side.device.readRegister(reg::FaultIndex);
  for (Divergence &divergence : found)
    if (divergence.kind != Kind::Write || !faulty || divergence.instruction != faulty) {
      divergence.text = text(divergence);
      return std::move(divergence);
    }
  return std::nullopt;
}

std::optional<Divergence> compareRuns(sim::Device &a, const std::string &nameA, sim::Device &b,
                                      const std::string &nameB, const isa::Program &program,
                                      const NameOf &nameOf, bool cycles) {
  Lockstep::Options options;
  options.cycles = cycles;
  options.nameOf = nameOf;
  Lockstep lockstep(a, nameA, b, nameB, program, std::move(options));
  lockstep.start();
  return lockstep.run();
}

} // namespace daedalus::cosim
