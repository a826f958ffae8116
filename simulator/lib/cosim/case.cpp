// Runs a case: once, or behind a RESET, or twice.
#include "common/device_base.h"
#include "cosim/case_setup.h"
#include "cosim/lockstep.h"

#include <algorithm>
#include <cstring>

namespace daedalus::cosim {
namespace {

namespace reg = isa::reg;
constexpr uint64_t MostCycles = 4'000'000; ///< of a run; the watchdog ends a program that stands still

bool isTimed(const std::string &name) {
  return name.rfind("functional", 0) != 0;
}

/// One case on two devices.
class Comparison {
public:
  Comparison(sim::Device &a, const std::string &nameA, sim::Device &b, const std::string &nameB,
             const Case &test, const NameOf &nameOf)
      : devices{&a, &b}, names{nameA, nameB}, test(test) {
    options.functional = !isTimed(nameA) || !isTimed(nameB);
    options.cycles = !options.functional && test.memory.throttlePercent == 0;
    options.mostCycles = MostCycles;
    options.nameOf = nameOf;
  }

  std::optional<Divergence> run() {
    if (test.resetAt)
      if (auto found = resetInMidProgram())
        return found;
    if (auto found = runProgram(test.program, lengthOf(test), true, test.disturbAt))
      return found;
    if (!test.againTo)
      return std::nullopt;
    isa::Program again = test.program;
    again.instructions.resize(*test.againTo);
    again.instructions.push_back(isa::Finish{});
    return runProgram(again, static_cast<uint32_t>(again.instructions.size()), false, 0);
  }

private:
  std::optional<Divergence> resetInMidProgram() {
    for (sim::Device *device : devices) {
      writeRegisters(*device, test, lengthOf(test));
      fillDram(*device, test, test.program.instructions, true);
      device->writeRegister(reg::Control, reg::ControlStart);
      device->advance(test.resetAt);
      device->writeRegister(reg::Control, reg::ControlReset);
    }
    return compareRegisters(test.resetAt, "behind a RESET in mid-program");
  }

  std::optional<Divergence> runProgram(const isa::Program &program, uint32_t length, bool withWords,
                                       uint64_t disturbAt) {
    for (sim::Device *device : devices) {
      writeRegisters(*device, test, length);
      fillDram(*device, test, program.instructions, withWords);
    }
    {
      Lockstep lockstep(*devices[0], names[0], *devices[1], names[1], program, options);
      lockstep.start();
      if (disturbAt) {
        lockstep.advance(disturbAt);
        if (!lockstep.isAnyStopped())
          for (sim::Device *device : devices)
            disturb(*device, test.seed);
      }
      if (auto found = lockstep.run())
        return found;
    }
    if (disturbAt)
      if (auto found = compareRegisters(0, "behind the run"))
        return found;
    hasFault = hasFault || devices[0]->readRegister(reg::FaultCause) != 0;
    if (devices[0]->readRegister(reg::FaultCause) != 0)
      return std::nullopt;
    if (auto found = compareBytes(isa::Scope::None, devices[0]->dram(), devices[1]->dram()))
      return found;
    return hasFault ? std::nullopt : compareScratchpads();
  }

  Divergence make(Divergence::Kind kind, const std::string &what) const {
    Divergence divergence;
    divergence.kind = kind;
    divergence.engines = names;
    divergence.what = what;
    return divergence;
  }

  /// Everything below the counters, which the lockstep has compared where they mean something.
  std::optional<Divergence> compareRegisters(uint64_t cycle, const std::string &when) const {
    for (uint32_t offset = 0; offset < reg::CounterLo; offset += 4) {
      const bool ofTime = offset == reg::CyclesLo || offset == reg::CyclesHi ||
                          (offset >= reg::FaultCause && offset <= reg::FaultModule);
      if (ofTime && (!options.cycles || cycle == 0))
        continue;
      const bool ofEnd = offset == reg::Status || offset == reg::Interrupt;
      if (cycle && ofEnd && options.functional)
        continue;
      const uint32_t x = devices[0]->readRegister(offset), y = devices[1]->readRegister(offset);
      if (x == y)
        continue;
      Divergence divergence = make(Divergence::Kind::Register,
                                   "the register at offset " + std::to_string(offset) + " differs " + when);
      divergence.cycle = cycle;
      divergence.values = {std::to_string(x), std::to_string(y)};
      divergence.text = text(divergence);
      return divergence;
    }
    return std::nullopt;
  }

  std::optional<Divergence> compareScratchpads() {
    auto *a = dynamic_cast<sim::DeviceBase *>(devices[0]), *b = dynamic_cast<sim::DeviceBase *>(devices[1]);
    if (!a || !b)
      return std::nullopt;
    sim::CoreState &x = a->state(), &y = b->state();
    for (isa::Scope scope : {isa::Scope::Inp, isa::Scope::Wgt, isa::Scope::Acc, isa::Scope::Param,
                             isa::Scope::Lut, isa::Scope::Out})
      if (auto found = compareBytes(scope, x.scratchpad(scope), y.scratchpad(scope)))
        return found;
    return std::nullopt;
  }

  std::optional<Divergence> compareBytes(isa::Scope scope, Span<const uint8_t> x,
                                         Span<const uint8_t> y) const {
    if (std::memcmp(x.data(), y.data(), x.size()) == 0)
      return std::nullopt;
    const bool isDram = scope == isa::Scope::None;
    Divergence divergence =
        make(isDram ? Divergence::Kind::Dram : Divergence::Kind::Scratchpad,
             isDram ? "DRAM differs behind the run, though all writes were the same"
                    : "a scratchpad differs behind the run, though all writes were the same");
    const auto at = std::mismatch(x.begin(), x.end(), y.begin());
    divergence.scope = scope;
    divergence.address = static_cast<uint64_t>(at.first - x.begin());
    if (!isDram) {
      const uint32_t row = devices[0]->machine().sliceBytes(scope);
      divergence.row = divergence.address / row;
      divergence.lane = static_cast<unsigned>(divergence.address % row / (scope == isa::Scope::Acc ? 4 : 1));
    }
    divergence.values = {std::to_string(int8_t(*at.first)), std::to_string(int8_t(*at.second))};
    divergence.text = text(divergence);
    return divergence;
  }

  const std::array<sim::Device *, 2> devices;
  const std::array<std::string, 2> names;
  const Case &test;
  Lockstep::Options options;
  bool hasFault = false; ///< some run had one: what it left in the scratchpads has no promise
};

} // namespace

std::optional<Divergence> compare(sim::Device &a, const std::string &nameA, sim::Device &b,
                                  const std::string &nameB, const Case &test, const NameOf &nameOf) {
  return Comparison(a, nameA, b, nameB, test, nameOf).run();
}

Pair engines(const std::string &a, const std::string &b) {
  const auto maker = [](const std::string &name) {
    return [name](const isa::Machine &machine, const sim::DeviceOptions &options) {
      return sim::createDevice(name, machine, options);
    };
  };
  return {a, b, maker(a), maker(b)};
}

void Totals::add(sim::Device &a, sim::Device &b) {
  const auto most = [&](auto count) { return std::max<uint64_t>(count(a), count(b)); };
  runs += 1;
  cycles += most([](sim::Device &device) { return device.readRegister(reg::CyclesLo); });
  instructions += most([](sim::Device &device) { return device.events().size(); });
}

Result<std::optional<Divergence>> run(const Pair &pair, const isa::Machine &machine, const Case &test,
                                      Totals *totals) {
  isa::Machine varied = machine;
  varied.readLatency = test.readLatency ? test.readLatency : machine.readLatency;
  varied.writeLatency = test.writeLatency ? test.writeLatency : machine.writeLatency;
  sim::DeviceOptions options;
  options.dramBytes = test.dramBytes;
  options.memory = test.memory;
  auto a = pair.makeA(varied, options);
  if (!a)
    return error(a.error());
  auto b = pair.makeB(varied, options);
  if (!b)
    return error(b.error());
  auto found = compare(**a, pair.nameA, **b, pair.nameB, test);
  if (totals)
    totals->add(**a, **b);
  return found;
}

Result<Campaign> runCampaign(const Pair &pair, const isa::Machine &machine, uint64_t programs, uint64_t seed,
                             const std::function<void(uint64_t)> &progress) {
  Campaign campaign;
  while (campaign.programs < programs && !campaign.failure) {
    const uint64_t caseSeed = seed * 1'000'003 + campaign.programs++;
    Case test = randomCase(machine, caseSeed);
    auto outcome = run(pair, machine, test, &campaign.totals);
    if (!outcome)
      return error(outcome.error());
    campaign.kinds[test.what] += 1;
    if (*outcome)
      campaign.failure = Failure{caseSeed, std::move(test), std::move(**outcome)};
    if (progress)
      progress(campaign.programs);
  }
  return campaign;
}

} // namespace daedalus::cosim
