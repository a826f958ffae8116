// The accelerator of `systemc`. It stands still behind the system and is brought to the present cycle where
// the processor asks for something, or where its program may have stopped.
#include "soc/accelerator.h"

#include "systemc/engine.h"

namespace daedalus::sim::soc {
namespace {

namespace reg = isa::reg;

class EventAccelerator : public Accelerator {
public:
  EventAccelerator(const isa::Machine &machine, const DeviceOptions &options)
      : device(machine, options), machine(machine) {}

  void readRegister(Cycle at, uint32_t offset) override {
    advanceBehind(at);
    read = device.readRegister(offset);
    answer = at + RegisterReadWait;
  }
  void writeRegister(Cycle at, uint32_t offset, uint32_t value) override {
    pending = Write{at, offset, value};
    answer = at + RegisterWriteWait;
  }
  void readDram(Cycle at, uint64_t address) override {
    advanceBehind(at);
    if (!isRunning(at)) {
      answer = at + machine.readLatency;
      return;
    }
    const systemc::HostRead given = device.readAsHost(at - start, address);
    answer = given.beat == Never ? Never : start + given.beat;
    contended += given.waits;
  }
  void writeDram(Cycle at, uint64_t address) override {
    advanceBehind(at);
    answer = isRunning(at) ? start + device.writeAsHost(at - start, address) : at + machine.writeLatency;
  }

  /// A write takes place in the cycle behind its request, and is seen in the next (S6).
  void cycle(Cycle at) override {
    if (pending && at == pending->at + 2)
      perform();
  }
  bool isAnswered(Cycle at) override { return at == answer; }
  uint32_t value() const override { return read; }
  bool interrupt(Cycle at) override {
    if (running && at > quietUntil)
      advanceBehind(at);
    return device.interruptLine();
  }
  Cycle sleep(Cycle from, Cycle to) override {
    advanceBehind(to);
    if (device.interruptLine())
      return running || stop < from ? from : std::min(stop + 1, to);
    return to;
  }

  std::optional<Cycle> started() const override { return begun ? std::optional(start) : std::nullopt; }
  std::optional<Cycle> stopped() const override {
    return begun && !running ? std::optional(stop) : std::nullopt;
  }
  uint64_t contendedCycles() const override { return contended; }
  const std::string &failure() const override { return nothing; }
  Dram &dram() override { return device.addressedDram(); }

private:
  struct Write {
    Cycle at;
    uint32_t offset, value;
  };

  /// Whether cycle `at` is one of the program's, from behind its cycle 0 up to its stop.
  bool isRunning(Cycle at) const { return running && at > start; }

  /// What the accelerator did in the cycles before `at` has happened.
  void advanceBehind(Cycle at) {
    if (!running || at <= start)
      return;
    const uint64_t target = at == Never ? Never : at - 1 - start;
    if (position != Never && target <= position)
      return;
    const bool hasStopped = device.advance(target - (position == Never ? 0 : position));
    position = target;
    if (hasStopped)
      return noteStop();
    const Cycle next = device.nextEvent();
    quietUntil = next == Never ? Never : start + std::max(next, position);
  }

  void noteStop() {
    running = false;
    stop = start + (uint64_t(device.readRegister(reg::CyclesHi)) << 32 | device.readRegister(reg::CyclesLo));
  }

  void perform() {
    const Write write = *pending;
    pending.reset();
    advanceBehind(write.at + 1);
    device.writeRegister(write.offset, write.value);
    if (write.offset != reg::Control || !(write.value & (reg::ControlStart | reg::ControlReset)))
      return;
    const bool starts = write.value & reg::ControlStart, resets = write.value & reg::ControlReset;
    if (running && !resets)
      return; // START is ignored
    running = starts;
    begun = begun || starts;
    start = quietUntil = write.at + StartWait;
    position = Never;
  }

  systemc::Engine device;
  const isa::Machine machine;
  std::optional<Write> pending;
  uint32_t read = 0;
  Cycle answer = Never;
  bool begun = false, running = false;
  Cycle start = 0, stop = 0; ///< of the last program
  Cycle position = Never;    ///< cycle of the program up to which it has run; Never: it has not begun
  Cycle quietUntil = 0;      ///< it stops in no cycle before this one
  uint64_t contended = 0;
  const std::string nothing;
};

} // namespace

Result<std::unique_ptr<Accelerator>> createEventAccelerator(const isa::Machine &machine,
                                                            const DeviceOptions &options) {
  return std::unique_ptr<Accelerator>(std::make_unique<EventAccelerator>(machine, options));
}

} // namespace daedalus::sim::soc
