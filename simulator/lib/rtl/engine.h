// The hardware itself as a device: the Verilated core, driven through its AXI4-Lite registers, with a memory
// behind its AXI4 master. A register access takes some cycles of the clock, as it does in hardware; a run's
// cycles are counted by the core.
#pragma once

#include "common/device_base.h"
#include "common/span_writer.h"
#include "rtl/axi_memory.h"
#include "rtl/model.h"
#include "rtl/rams.h"
#include "rtl/register_port.h"
#include "rtl/waves.h"

#include <array>
#include <deque>

namespace daedalus::sim::rtl {

class Engine : public DeviceBase {
public:
  /// Finds or makes the model of the machine. Errors say what is missing.
  static Result<std::unique_ptr<Engine>> create(const isa::Machine &machine, const DeviceOptions &options);
  /// The same with a model that was made before.
  static Result<std::unique_ptr<Engine>> createFrom(const std::string &model, const isa::Machine &machine,
                                                    const DeviceOptions &options);

  uint32_t readRegister(uint32_t offset) override;
  void writeRegister(uint32_t offset, uint32_t value) override;
  bool advance(uint64_t cycles) override;
  bool interruptLine() const override { return model->outputs.irq; }
  CoreState &state() override;
  void resetHardware() override;
  void setSilence(const std::optional<Silence> &from) override { memory.setSilence(from); }
  Result<void> closeWaves() override;
  void expectRaces(bool expected) override { racing = expected; }
  bool hasBegun() const override { return !running || observing; }
  std::optional<uint64_t> accessCycle() const override { return accessed; }
  std::string faultDetail() const override { return failure.empty() ? record.fault.detail : failure; }

  /// For who clocks it, instead of advance() and the accesses of Device: a cycle, in which an access that was
  /// offered before goes on, and what it was like. An offer while one goes on is for nobody to make.
  void clock();
  void offerRead(uint32_t offset) { port.read(offset); }
  void offerWrite(uint32_t offset, uint32_t value);
  bool isAccessed() const { return !port.isBusy(); }
  uint32_t accessedValue() const { return port.value(); }
  bool isStart() const { return running && model->outputs.counting && model->outputs.cycle == 0; }
  bool isStop() const { return stopped; }
  /// Whether a program runs, from START on; and whether nothing is going on at all.
  bool isRunning() const { return running && !stopped; }
  bool isIdle() const { return !isRunning() && !port.isBusy() && memory.isIdle(); }
  AxiMemory &hostMemory() { return memory; }
  const std::string &brokenRule() const { return failure; }

  /// Runs on where an assertion of the RTL fails: for programs that race on purpose.
  void tolerateAssertions() { tolerant = true; }
  /// Chooses one of the planted bugs of a model that has them (docs/verification.md); 0: none.
  void plantBug(uint16_t bug) { model->inputs.bug = bug; }

private:
  Engine(const isa::Machine &machine, const DeviceOptions &options, std::unique_ptr<Model> model);

  void holdReset();
  void cycle();
  void finishAccess(const uint8_t &takesPlace);
  void expectNoCombinationalPath();
  void noteFailure();
  void forgetRun();
  void hideCounted();
  void presetCounters();
  void observeCycle();
  void observeWrites();
  void traceCycle();
  uint32_t instructionOf(isa::CounterModule module, isa::CounterClass what);
  void retire(isa::Module module, uint32_t index, uint64_t cycle);
  void dumpWaves(unsigned half);
  void stop();
  void describeFault();
  std::string waitSentence();
  std::string registerSentence();
  uint64_t readPair(uint32_t low, uint32_t high);
  void copyScratchpads(bool toModel);

  std::unique_ptr<Model> model;
  const std::vector<Ram> rams;  ///< of the model's scratchpads
  std::unique_ptr<Waves> waves; ///< null: none are wanted
  AxiMemory memory;
  RegisterPort port;
  uint64_t now = 0;                  ///< cycles since the device was made
  uint64_t target = 0;               ///< cycle of the run up to which the host has advanced it
  uint64_t accessed = BehindTheStop; ///< accessCycle()
  bool running = false, stopped = false, tolerant = false, racing = false, scratchpadsChanged = true;
  bool observing = false; ///< cycle 0 has come: what the core does is the run's
  std::array<std::deque<uint64_t>, isa::ModuleCount> starts; ///< cycles of the instructions that work
  std::array<uint32_t, isa::ModuleCount> workingIndex{};     ///< the instruction that started last
  std::array<SpanWriter, isa::CounterModuleCount> spanWriters;
  uint64_t finishFrom = 0; ///< FINISH's first cycle in the head register; 0: not there
  std::string failure;     ///< of an assertion, or of an answer of the register port
};

} // namespace daedalus::sim::rtl
