// Runs a case: once, or behind a RESET, or twice.
#include "common/device_base.h"
#include "cosim/case_setup.h"
#include "cosim/host_accesses.h"
#include "cosim/lockstep.h"
#include "cosim/random_data.h"

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
    options.writes = !test.timed;
    options.mostCycles = MostCycles;
    options.counted = test.hardware.counted;
    options.nameOf = nameOf;
    for (sim::DeviceBase *device : insides())
      if (device)
        device->expectRaces(test.timed);
  }

  std::optional<Divergence> run() {
    if (auto found = runPrograms())
      return found;
    return compareStatus();
  }

private:
  std::optional<Divergence> runPrograms() {
    if (test.hardware.stateSeed)
      fillScratchpads();
    if (test.resetAt)
      if (auto found = resetEachTime())
        return found;
    if (auto found = runProgram(test.program, lengthOf(test), true, !test.hostAtStop))
      return found;
    if (test.hostAtStop && options.cycles)
      if (auto found = runProgram(test.program, lengthOf(test), true, true))
        return found;
    if (!test.againTo)
      return std::nullopt;
    isa::Program again = test.program;
    again.instructions.resize(*test.againTo);
    again.instructions.push_back(isa::Finish{});
    return runProgram(again, static_cast<uint32_t>(again.instructions.size()), false, false);
  }

  /// The devices, if both show their insides.
  std::array<sim::DeviceBase *, 2> insides() const {
    std::array<sim::DeviceBase *, 2> bases;
    for (unsigned i = 0; i < 2; ++i)
      bases[i] = dynamic_cast<sim::DeviceBase *>(devices[i]);
    return bases[0] && bases[1] ? bases : std::array<sim::DeviceBase *, 2>{};
  }

  void fillScratchpads() {
    for (sim::DeviceBase *device : insides())
      for (unsigned scope = 0; device && scope < isa::ScopeCount; ++scope)
        fillRandomly(device->state().scratchpad(static_cast<isa::Scope>(scope)),
                     test.hardware.stateSeed + scope);
  }

  void setUp(const isa::Program &program, uint32_t length, bool withWords) {
    for (sim::Device *device : devices) {
      writeRegisters(*device, test, length);
      fillDram(*device, test, program.instructions, withWords);
    }
  }

  bool startsAtOnce() const {
    return test.resetBy == ResetBy::ControlAndStart || test.resetBy == ResetBy::StartBehind;
  }

  std::optional<Divergence> resetEachTime() {
    for (uint64_t before = std::min(test.resetsBefore, test.resetAt - 1); before > 0; --before) {
      runUntil(test.resetAt - before);
      if (auto found = reset())
        return found;
    }
    runUntil(test.resetAt);
    return startsAtOnce() ? std::nullopt : reset();
  }

  /// What a fault leaves in the scratchpads has no promise, also behind the reset.
  void runUntil(uint64_t cycle) {
    setUp(test.program, lengthOf(test), true);
    for (sim::Device *device : devices) {
      device->writeRegister(reg::Control, reg::ControlStart);
      hasFault |= device->advance(cycle) && device->readRegister(reg::FaultCause) != 0;
    }
  }

  std::optional<Divergence> reset() {
    for (unsigned i = 0; i < 2; ++i)
      if (test.resetBy == ResetBy::Pin && insides()[i])
        insides()[i]->resetHardware();
      else
        devices[i]->writeRegister(reg::Control, reg::ControlReset);
    const auto before = dramOfBoth();
    if (auto found = compareRegisters(test.resetAt, "behind a reset in mid-program"))
      return found;
    return mayOweWrites() ? std::nullopt : compareDram(before);
  }

  std::array<std::vector<uint8_t>, 2> dramOfBoth() const {
    const auto copy = [](sim::Device *device) {
      return std::vector<uint8_t>(device->dram().begin(), device->dram().end());
    };
    return {copy(devices[0]), copy(devices[1])};
  }

  /// A memory that refuses beats, or falls silent, may still hold some of before.
  bool mayOweWrites() const {
    return test.memory.throttlePercent || test.memory.silence ||
           test.memory.latencySpread >= devices[0]->machine().memoryTimeoutCycles;
  }

  /// A program that was reset writes no more.
  std::optional<Divergence> compareDram(const std::array<std::vector<uint8_t>, 2> &before) const {
    for (unsigned i = 0; i < 2; ++i)
      if (auto found = compareBytes(isa::Scope::None, before[i], devices[i]->dram(),
                                    names[i] + " changes DRAM behind a reset"))
        return found;
    return std::nullopt;
  }

  /// The program that was reset starts again; DRAM becomes what it was when nothing of before can reach it,
  /// and before the first LOAD reads it.
  void restart() {
    for (sim::Device *device : devices) {
      if (test.resetBy == ResetBy::StartBehind)
        device->writeRegister(reg::Control, reg::ControlReset);
      device->writeRegister(reg::Control, test.resetBy == ResetBy::StartBehind
                                              ? reg::ControlStart
                                              : reg::ControlReset | reg::ControlStart);
      auto *base = dynamic_cast<sim::DeviceBase *>(device);
      for (uint64_t patience = MostCycles; base && !base->hasBegun() && patience > 0; --patience)
        device->advance(1);
      fillDram(*device, test, test.program.instructions, true);
    }
  }

  std::optional<Divergence> runProgram(const isa::Program &program, uint32_t length, bool withWords,
                                       bool withHost) {
    const bool restarts = test.resetAt && withWords && startsAtOnce();
    const bool hosted = withHost && !test.host.empty() && options.cycles;
    const uint64_t stop = test.hostAtStop && hosted ? devices[0]->readRegister(reg::CyclesLo) -
                                                          static_cast<uint32_t>(test.hardware.counted)
                                                    : 0;
    if (!restarts)
      setUp(program, length, withWords);
    {
      Lockstep lockstep(*devices[0], names[0], *devices[1], names[1], program, options);
      if (restarts)
        restart();
      else
        lockstep.start();
      std::optional<Divergence> seen;
      if (hosted)
        seen = performAccesses(lockstep, devices, test, stop);
      if (auto found = lockstep.run())
        return found;
      if (seen) {
        seen->engines = names;
        seen->text = text(*seen);
        return seen;
      }
    }
    if (hosted)
      if (auto found = compareRegisters(0, "behind the run"))
        return found;
    hasFault = hasFault || devices[0]->readRegister(reg::FaultCause) != 0;
    if (devices[0]->readRegister(reg::FaultCause) != 0)
      return std::nullopt;
    if (auto found = compareBytes(isa::Scope::None, devices[0]->dram(), devices[1]->dram(),
                                  "DRAM differs behind the run, though all writes were the same"))
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

  /// What shows only behind the run: a rule of the buses that was broken since.
  std::optional<Divergence> compareStatus() const {
    const std::array<uint32_t, 2> status = {devices[0]->readRegister(reg::Status),
                                            devices[1]->readRegister(reg::Status)};
    if (status[0] == status[1])
      return std::nullopt;
    Divergence divergence = make(Divergence::Kind::Stop, "the status differs behind all runs");
    for (unsigned i = 0; i < 2; ++i)
      divergence.values[i] =
          isa::name(static_cast<isa::DeviceStatus>(status[i])) + std::string(" ") + devices[i]->faultDetail();
    divergence.text = text(divergence);
    return divergence;
  }

  /// Everything; the counters only behind a reset in cycle `cycle`, for the lockstep has compared them where
  /// they mean something.
  std::optional<Divergence> compareRegisters(uint64_t cycle, const std::string &when) const {
    const uint32_t end = cycle ? reg::CounterLo + reg::CounterLoStep * reg::CounterLoCount : reg::CounterLo;
    for (uint32_t offset = 0; offset < end; offset += 4) {
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
      if (auto found = compareBytes(scope, x.scratchpad(scope), y.scratchpad(scope),
                                    "a scratchpad differs behind the run, though all writes were the same"))
        return found;
    return std::nullopt;
  }

  std::optional<Divergence> compareBytes(isa::Scope scope, Span<const uint8_t> x, Span<const uint8_t> y,
                                         const std::string &what) const {
    if (std::memcmp(x.data(), y.data(), x.size()) == 0)
      return std::nullopt;
    const bool isDram = scope == isa::Scope::None;
    Divergence divergence = make(isDram ? Divergence::Kind::Dram : Divergence::Kind::Scratchpad, what);
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

void Totals::add(sim::Device &a, sim::Device &b, const Case &test) {
  const auto most = [&](auto count) { return std::max<uint64_t>(count(a), count(b)); };
  runs += 1;
  cycles += most([&](sim::Device &device) {
    const uint32_t shown = device.readRegister(reg::CyclesLo);
    return shown ? shown - static_cast<uint32_t>(test.hardware.counted) : 0;
  });
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
  options.hardware = test.hardware;
  auto a = pair.makeA(varied, options);
  if (!a)
    return error(a.error());
  auto b = pair.makeB(varied, options);
  if (!b)
    return error(b.error());
  const bool timed = isTimed(pair.nameA) && isTimed(pair.nameB);
  auto found = test.timed && !timed ? std::nullopt : compare(**a, pair.nameA, **b, pair.nameB, test);
  if (totals)
    totals->add(**a, **b, test);
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
