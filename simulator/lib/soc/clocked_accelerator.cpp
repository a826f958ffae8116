// The accelerator of `rtl`, clocked with the system. That its register port answers when S5 and S6 say is
// checked at every access.
#include "soc/accelerator.h"

#include "rtl/engine.h"

namespace daedalus::sim::soc {
namespace {

class ClockedAccelerator : public Accelerator {
public:
  explicit ClockedAccelerator(std::unique_ptr<rtl::Engine> engine) : engine(std::move(engine)) {}

  void readRegister(Cycle at, uint32_t offset) override {
    engine->offerRead(offset);
    accessAnswer = at + RegisterReadWait;
  }
  void writeRegister(Cycle at, uint32_t offset, uint32_t value) override {
    engine->offerWrite(offset, value);
    accessAnswer = at + RegisterWriteWait;
  }
  void readDram(Cycle, uint64_t address) override { engine->hostMemory().offerRead(address); }
  void writeDram(Cycle, uint64_t address) override { engine->hostMemory().offerWrite(address); }

  void cycle(Cycle at) override {
    if (at != next)
      return; // sleep() went through it
    ++next;
    engine->clock();
    if (engine->isStart())
      start = at;
    if (engine->isStop() && (!stop || *stop < *start))
      stop = at;
    if (accessAnswer != Never && engine->isAccessed() != (at >= accessAnswer))
      broken = "the register port does not answer in the cycle that the rules S5 and S6 say";
  }
  bool isAnswered(Cycle at) override {
    if (at != accessAnswer)
      return engine->hostMemory().isAnswered();
    accessAnswer = Never;
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

  std::unique_ptr<rtl::Engine> engine;
  Cycle next = 0; ///< the first cycle that was not gone through
  Cycle accessAnswer = Never;
  std::optional<Cycle> start, stop; ///< of the last program that has either
  std::string broken;
};

} // namespace

Result<std::unique_ptr<Accelerator>> createClockedAccelerator(const isa::Machine &machine,
                                                              const DeviceOptions &options) {
  auto engine = rtl::Engine::create(machine, options);
  if (!engine)
    return error(engine.error());
  return std::unique_ptr<Accelerator>(std::make_unique<ClockedAccelerator>(std::move(*engine)));
}

} // namespace daedalus::sim::soc
