#include "simulated_port.h"

#include "daedalus/isa/encoding.h"
#include "daedalus/simulator/device.h"
#include "daedalus/simulator/profile.h"

namespace daedalus::runtime {
namespace {

class SimulatedPort : public AcceleratorPort {
public:
  /// `isTraced`: the engine counts cycles.
  SimulatedPort(std::unique_ptr<sim::Device> opened, bool isTraced) : device(std::move(opened)) {
    if (!isTraced)
      return;
    profiler = std::make_unique<sim::Profiler>();
    device->trace(profiler.get());
  }

  uint32_t readRegister(uint32_t offset) override { return device->readRegister(offset); }
  void writeRegister(uint32_t offset, uint32_t value) override { device->writeRegister(offset, value); }
  Span<uint8_t> memory() override { return device->dram(); }
  Result<void> waitForInterrupt() override { return device->waitForInterrupt(), Result<void>(); }
  void begin() override {
    if (profiler)
      profiler->clear();
  }
  std::string faultDetail() const override { return device->faultDetail(); }
  Span<const sim::InstructionEvent> events() const override { return device->events(); }
  std::shared_ptr<const sim::Profile> profile(Span<const uint8_t> words, uint64_t cycles) override {
    if (!profiler)
      return nullptr;
    const auto instructions = isa::decodeWords(words);
    auto profile = std::make_shared<sim::Profile>(profiler->finish(*instructions, device->events(), cycles));
    profile->dram = device->dramActivity();
    return profile;
  }
  Result<void> closeWaves() override { return device->closeWaves(); }

private:
  std::unique_ptr<sim::Profiler> profiler; ///< null on engines that count no cycles
  std::unique_ptr<sim::Device> device;
};

} // namespace

Result<std::unique_ptr<AcceleratorPort>> openSimulated(const std::string &engine,
                                                       const AcceleratorRequest &request) {
  sim::DeviceOptions options;
  options.dramBytes = request.memoryBytes;
  options.timingOnly = request.timingOnly;
  options.waves = request.waves;
  options.wavesFrom = request.wavesFrom;
  options.wavesTo = request.wavesTo;
  auto device = sim::createDevice(engine, request.machine, options);
  if (!device)
    return error(device.error());
  return Result<std::unique_ptr<AcceleratorPort>>(
      std::make_unique<SimulatedPort>(std::move(*device), engine != "functional"));
}

} // namespace daedalus::runtime
