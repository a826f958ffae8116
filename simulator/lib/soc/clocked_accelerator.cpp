// The accelerator of `rtl`, clocked with the system while anything goes on in it: where it has been idle for
// a while, its registers stand still. That its register port answers when S5 and S6 say is checked at every
// access.
#include "soc/accelerator.h"

#include "rtl/engine.h"

namespace daedalus::sim::soc {
namespace {

class ClockedAccelerator : public Accelerator {
public:
  ClockedAccelerator(std::unique_ptr<rtl::Engine> engine, const isa::Machine &machine)
      : engine(std::move(engine)), machine(machine) {}

  void readRegister(Cycle at, uint32_t offset) override {
    engine->offerRead(offset);
    accessAnswer = at + RegisterReadWait;
  }
  void writeRegister(Cycle at, uint32_t offset, uint32_t value) override {
    engine->offerWrite(offset, value);
    accessAnswer = at + RegisterWriteWait;
  }
  void readDram(Cycle at, uint64_t address) override {
    if (engine->isIdle())
      dramAnswer = at + machine.readLatency;
    else
      engine->hostMemory().offerRead(address);
  }
  void writeDram(Cycle at, uint64_t address) override {
    if (engine->isIdle())
      dramAnswer = at + machine.writeLatency;
    else
      engine->hostMemory().offerWrite(address);
  }

  void cycle(Cycle at) override {
    if (at != next)
      return; // sleep() went through it
    ++next;
    idled = engine->isIdle() ? std::min(idled + 1, SettlingCycles) : 0;
    if (idled == SettlingCycles)
      return;
    engine->clock();
    if (engine->isStart())
      start = at;
    if (engine->isStop() && (!stop || *stop < *start))
      stop = at;
    if (accessAnswer != Never && engine->isAccessed() != (at >= accessAnswer))
      broken = "the register port does not answer in the cycle that the rules S5 and S6 say";
  }
  bool isAnswered(Cycle at) override {
    if (at == accessAnswer)
      accessAnswer = Never;
    else if (at == dramAnswer)
      dramAnswer = Never;
    else
      return idled < SettlingCycles && engine->hostMemory().isAnswered();
    return true;
  }
  uint32_t value() const override { return engine->accessedValue(); }
  bool interrupt(Cycle) override { return engine->interruptLine(); }
  Cycle sleep(Cycle from, Cycle to) override {
    for (Cycle at = from; at < to; ++at) {
      cycle(at);
      if (engine->interruptLine() || !failure().empty())
        return at;
      if (to == Never && !isBusy())
        return Never;
    }
    return to;
  }

  std::optional<Cycle> started() const override { return start; }
  std::optional<Cycle> stopped() const override { return stop && *stop > *start ? stop : std::nullopt; }
  uint64_t contendedCycles() const override { return engine->hostMemory().contendedCycles(); }
  const std::string &failure() const override { return broken.empty() ? engine->brokenRule() : broken; }
  Dram &dram() override { return engine->addressedDram(); }

private:
  bool isBusy() const { return start && (!stop || *stop < *start); }

  /// Behind so many idle cycles nothing of it changes until somebody asks for something.
  static constexpr unsigned SettlingCycles = 16;

  const std::unique_ptr<rtl::Engine> engine;
  const isa::Machine machine;
  unsigned idled = 0;                             ///< cycles in a row, up to SettlingCycles
  Cycle next = 0;                                 ///< the first cycle that was not gone through
  Cycle accessAnswer = Never, dramAnswer = Never; ///< of the open request, where they are known
  std::optional<Cycle> start, stop;               ///< of the last program that has either
  std::string broken;
};

} // namespace

Result<std::unique_ptr<Accelerator>> createClockedAccelerator(const isa::Machine &machine,
                                                              const DeviceOptions &options) {
  auto engine = rtl::Engine::create(machine, options);
  if (!engine)
    return error(engine.error());
  return std::unique_ptr<Accelerator>(std::make_unique<ClockedAccelerator>(std::move(*engine), machine));
}

} // namespace daedalus::sim::soc
