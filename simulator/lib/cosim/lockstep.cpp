// Both devices advance by the same number of cycles at a time; then what both have retired is compared and
// forgotten, so memory stays bounded however long the run.
#include "daedalus/simulator/cosim.h"

#include "cosim/journal.h"
#include "daedalus/isa/assembly.h"

#include <algorithm>

namespace daedalus::cosim {
namespace {

using isa::CounterModule;
namespace reg = isa::reg;
constexpr uint64_t Chunk = 4096;
constexpr uint64_t Patience = 100'000; ///< cycles that one device may run on when the other has stopped

struct Side {
  sim::Device &device;
  std::string name;
  Journal journal;
  bool stopped = false;
};

uint64_t pair(sim::Device &device, uint32_t low, uint32_t high) {
  return uint64_t(device.readRegister(high)) << 32 | device.readRegister(low);
}

class Lockstep {
public:
  Lockstep(Side &a, Side &b, const isa::Program &program, const NameOf &nameOf, bool cycles)
      : a(a), b(b), program(program), nameOf(nameOf), cycles(cycles) {}

  std::optional<Divergence> run() {
    for (uint64_t beyond = 0; !(a.stopped && b.stopped);) {
      a.stopped = a.device.advance(Chunk);
      b.stopped = b.device.advance(Chunk);
      compareRetired();
      if (found)
        return finish();
      beyond = a.stopped || b.stopped ? beyond + Chunk : 0;
      if (beyond > Patience && cycles)
        return hang();
      if (beyond > 5 * Patience)
        return hang();
    }
    compareStop();
    return finish();
  }

private:
  std::string describe(uint32_t index) const {
    std::string text = "instruction " + std::to_string(index);
    if (index < program.instructions.size())
      text += " (" + isa::disassemble(program.instructions[index]) + ")";
    if (const std::string name = nameOf ? nameOf(index) : ""; !name.empty())
      text += " of " + name;
    return text;
  }

  void report(uint64_t cycle, std::optional<uint32_t> index, const std::string &what) {
    if (found && found->cycle <= cycle)
      return;
    found = Divergence{cycle, index, (index ? describe(*index) + ": " : "") + what};
  }

  std::optional<Divergence> finish() {
    if (!found)
      return found;
    found->text = "first divergence in cycle " + std::to_string(found->cycle) + ", " + found->text +
                  "\n  last events of " + a.name + ":\n" + a.journal.recent() + "  last events of " + b.name + ":\n" +
                  b.journal.recent();
    return found;
  }

  std::optional<Divergence> hang() {
    const Side &runs = a.stopped ? b : a, &stops = a.stopped ? a : b;
    report(pair(stops.device, reg::CyclesLo, reg::CyclesHi), std::nullopt,
           stops.name + " stopped, " + runs.name + " still runs " + std::to_string(Patience) + " cycles later");
    return finish();
  }

  void compareRetired() {
    for (unsigned m = 0; m < isa::CounterModuleCount; ++m)
      while (!a.journal.ends[m].empty() && !b.journal.ends[m].empty()) {
        compareInstruction(a.journal.ends[m].front(), b.journal.ends[m].front());
        if (found && found->instruction == a.journal.ends[m].front().index)
          break;
        a.journal.forget(static_cast<CounterModule>(m));
        b.journal.forget(static_cast<CounterModule>(m));
      }
  }

  void compareInstruction(const sim::InstructionEvent &x, const sim::InstructionEvent &y) {
    if (x.index != y.index)
      return report(std::min(x.end, y.end), x.index,
                    std::string(isa::name(x.module)) + " retires it in " + a.name + ", where " + b.name +
                        " retires " + describe(y.index));
    if (cycles && x.start != y.start)
      report(std::min(x.start, y.start), x.index,
             "starts in cycle " + std::to_string(x.start) + " in " + a.name + ", in cycle " +
                 std::to_string(y.start) + " in " + b.name);
    else if (cycles && x.end != y.end)
      report(std::min(x.end, y.end), x.index,
             "ends in cycle " + std::to_string(x.end) + " in " + a.name + ", in cycle " + std::to_string(y.end) +
                 " in " + b.name);
    compareWrites(x);
  }

  void compareWrites(const sim::InstructionEvent &event) {
    std::vector<ByteWrite> &x = a.journal.writes[event.index], &y = b.journal.writes[event.index];
    const auto before = [](const ByteWrite &one, const ByteWrite &other) {
      return std::pair(one.scope, one.address) < std::pair(other.scope, other.address);
    };
    std::stable_sort(x.begin(), x.end(), before);
    std::stable_sort(y.begin(), y.end(), before);
    for (size_t i = 0; i < std::max(x.size(), y.size()); ++i) {
      const bool inX = i < x.size(), inY = i < y.size();
      const bool same = inX && inY && x[i].scope == y[i].scope && x[i].address == y[i].address;
      if (same && x[i].value == y[i].value)
        continue;
      if (isFaulty(event.index))
        return;
      const ByteWrite &first = !inX || (inY && before(y[i], x[i])) ? y[i] : x[i];
      const bool byX = inX && !before(first, x[i]), byY = inY && !before(first, y[i]);
      const uint64_t cycle = std::max(byX ? x[i].cycle : 0, byY ? y[i].cycle : 0);
      return report(cycle ? cycle : event.end, event.index,
                    "writes " + place(first) + " as " + (byX ? std::to_string(int8_t(x[i].value)) : "nothing") +
                        " in " + a.name + ", as " + (byY ? std::to_string(int8_t(y[i].value)) : "nothing") + " in " +
                        b.name);
    }
  }

  /// Whether the instruction is the one that faults, which a run to the stop tells.
  bool isFaulty(uint32_t index) {
    for (Side *side : {&a, &b}) {
      side->stopped = side->stopped || side->device.advance(Patience);
      if (side->stopped && side->device.readRegister(reg::FaultCause) != 0 &&
          side->device.readRegister(reg::FaultIndex) == index)
        return true;
    }
    return false;
  }

  std::string place(const ByteWrite &write) const {
    if (write.scope == isa::Scope::None)
      return "DRAM address " + std::to_string(write.address);
    const isa::Machine &machine = a.device.machine();
    const uint64_t row = machine.sliceBytes(write.scope), in = write.address % row;
    const std::string scope = isa::name(write.scope);
    if (write.scope == isa::Scope::Acc)
      return scope + " row " + std::to_string(write.address / row) + " lane " + std::to_string(in / 4) + " (byte " +
             std::to_string(in % 4) + ")";
    return scope + " row " + std::to_string(write.address / row) + " lane " + std::to_string(in);
  }

  /// What is left when both have stopped.
  void compareStop() {
    const auto status = [](Side &side) { return side.device.readRegister(reg::Status); };
    const auto cause = [](Side &side) { return side.device.readRegister(reg::FaultCause); };
    const uint64_t end = pair(a.device, reg::CyclesLo, reg::CyclesHi);
    for (unsigned m = 0; m < isa::CounterModuleCount; ++m)
      for (Side *side : {&a, &b})
        if (!side->journal.ends[m].empty()) {
          const sim::InstructionEvent &event = side->journal.ends[m].front();
          report(event.end, event.index, "retires in " + side->name + " alone");
        }
    const std::string stopA = outcome(a), stopB = outcome(b);
    if (status(a) != status(b) || cause(a) != cause(b) || stopA != stopB)
      report(end, std::nullopt, a.name + " ends with " + stopA + ", " + b.name + " with " + stopB);
    if (!cycles)
      return;
    const uint64_t other = pair(b.device, reg::CyclesLo, reg::CyclesHi);
    if (end != other)
      report(std::min(end, other), std::nullopt,
             a.name + " stops in cycle " + std::to_string(end) + ", " + b.name + " in cycle " +
                 std::to_string(other));
    compareCounters(end);
  }

  std::string outcome(Side &side) {
    const auto status = static_cast<isa::DeviceStatus>(side.device.readRegister(reg::Status));
    if (status != isa::DeviceStatus::Fault)
      return isa::name(status);
    const std::string cause = isa::name(static_cast<isa::FaultCause>(side.device.readRegister(reg::FaultCause)));
    if (cause == "none")
      return side.device.faultDetail();
    return cause + " of " +
           isa::name(static_cast<CounterModule>(side.device.readRegister(reg::FaultModule))) + " at instruction " +
           std::to_string(side.device.readRegister(reg::FaultIndex));
  }

  void compareCounters(uint64_t end) {
    for (uint32_t i = 0; i < reg::CounterLoCount; ++i) {
      const uint32_t low = reg::CounterLo + i * reg::CounterLoStep, high = reg::CounterHi + i * reg::CounterHiStep;
      const uint64_t x = pair(a.device, low, high), y = pair(b.device, low, high);
      if (x != y)
        report(end, std::nullopt,
               std::string("the counter ") + isa::name(static_cast<CounterModule>(i / isa::CounterClassCount)) + " " +
                   isa::name(static_cast<isa::CounterClass>(i % isa::CounterClassCount)) + " is " +
                   std::to_string(x) + " in " + a.name + ", " + std::to_string(y) + " in " + b.name);
    }
  }

  Side &a, &b;
  const isa::Program &program;
  const NameOf &nameOf;
  const bool cycles;
  std::optional<Divergence> found;
};

} // namespace

std::optional<Divergence> compareRuns(sim::Device &a, const std::string &nameA, sim::Device &b,
                                      const std::string &nameB, const isa::Program &program, const NameOf &nameOf,
                                      bool cycles) {
  Side x{a, nameA, {}, false}, y{b, nameB, {}, false};
  a.observe(&x.journal);
  b.observe(&y.journal);
  for (sim::Device *device : {&a, &b})
    device->writeRegister(reg::Control, 1);
  auto found = Lockstep(x, y, program, nameOf, cycles).run();
  a.observe(nullptr);
  b.observe(nullptr);
  return found;
}

} // namespace daedalus::cosim
