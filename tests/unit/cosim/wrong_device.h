// A device that does what another does and tells one thing wrongly.
#pragma once

#include "daedalus/simulator/device.h"

namespace daedalus::testing {

class WrongDevice : public sim::Device, private sim::Observer, private sim::SpanSink {
public:
  enum class Lie {
    None,
    Start,         ///< instruction `at` starts a cycle later
    End,           ///< or ends a cycle later
    Write,         ///< bit 3 of the second byte that `at` writes is another
    MissingWrite,  ///< what `at` writes is lost
    Class,         ///< what is done for `at` in its module is another class
    Span,          ///< or for the next instruction
    Counter,       ///< GEMM was idle a cycle longer
    Dram,          ///< the DRAM found a row open once more
    Cause,         ///< the fault has another cause
    InterruptLine, ///< the interrupt's wire is the other way round
    NeverStops,    ///< the program runs for ever
    LostRetirement ///< instruction `at` never ends
  };

  WrongDevice(std::unique_ptr<sim::Device> device, Lie lie, uint32_t at)
      : device(std::move(device)), lie(lie), at(at) {}

  uint32_t readRegister(uint32_t offset) override {
    namespace reg = isa::reg;
    const uint32_t value = device->readRegister(offset);
    if (lie == Lie::NeverStops && offset == reg::Status)
      return static_cast<uint32_t>(isa::DeviceStatus::Running);
    if (lie == Lie::Cause && offset == reg::FaultCause && value)
      return static_cast<uint32_t>(isa::FaultCause::BusError);
    const uint32_t idle = static_cast<uint32_t>(isa::CounterModule::Gemm) * isa::CounterClassCount +
                          static_cast<uint32_t>(isa::CounterClass::Idle);
    return value + (lie == Lie::Counter && offset == reg::CounterLo + idle * reg::CounterLoStep);
  }
  void writeRegister(uint32_t offset, uint32_t value) override { device->writeRegister(offset, value); }
  void waitForInterrupt() override { device->waitForInterrupt(); }
  bool interruptLine() const override { return device->interruptLine() != (lie == Lie::InterruptLine); }
  bool advance(uint64_t cycles) override { return device->advance(cycles) && lie != Lie::NeverStops; }
  void observe(sim::Observer *observer) override {
    to = observer;
    device->observe(observer ? this : nullptr);
  }
  Span<uint8_t> dram() override { return device->dram(); }
  const isa::Machine &machine() const override { return device->machine(); }
  void trace(sim::SpanSink *sink) override {
    spans = sink;
    device->trace(sink ? this : nullptr);
  }
  Span<const sim::InstructionEvent> events() const override { return device->events(); }
  const sim::DramActivity &dramActivity() const override {
    activity = device->dramActivity();
    activity.reads.hits += lie == Lie::Dram;
    return activity;
  }
  std::string faultDetail() const override { return device->faultDetail(); }

private:
  void started(uint32_t index, isa::CounterModule module, uint64_t cycle) override {
    to->started(index, module, cycle + (index == at && lie == Lie::Start));
  }
  void wrote(const sim::WriteEvent &event) override {
    if (event.index != at || (lie != Lie::Write && lie != Lie::MissingWrite))
      return to->wrote(event);
    if (lie == Lie::MissingWrite)
      return;
    std::vector<uint8_t> bytes(event.data.begin(), event.data.end());
    for (uint8_t &byte : bytes)
      byte ^= written++ == 1 ? 8 : 0;
    sim::WriteEvent wrong = event;
    wrong.data = bytes;
    to->wrote(wrong);
  }
  void span(const sim::CycleSpan &span) override {
    sim::CycleSpan told = span;
    if (span.instruction == at && span.module != isa::CounterModule::Fetch) {
      told.what = lie == Lie::Class ? isa::CounterClass::Bus : span.what;
      told.instruction += lie == Lie::Span;
    }
    spans->span(told);
  }
  void retired(const sim::InstructionEvent &event) override {
    sim::InstructionEvent told = event;
    told.start += event.index == at && lie == Lie::Start;
    told.end += event.index == at && lie == Lie::End;
    if (event.index != at || lie != Lie::LostRetirement)
      to->retired(told);
  }

  std::unique_ptr<sim::Device> device;
  mutable sim::DramActivity activity; ///< as it is told
  const Lie lie;
  const uint32_t at;
  sim::Observer *to = nullptr;
  sim::SpanSink *spans = nullptr;
  unsigned written = 0; ///< bytes of `at`
};

} // namespace daedalus::testing
