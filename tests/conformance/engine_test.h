// The fixture of the conformance suite: one device of the engine under test, and its scratchpads as rows.
#pragma once

#include "common/device_base.h"
#include "conformance/forms.h"
#include "daedalus/isa/assembly.h"
#include "support/device_harness.h"

#include <cstring>

namespace daedalus::testing {

class EngineTest : public ::testing::TestWithParam<std::string> {
protected:
  EngineTest() : device(GetParam(), builtin("tiny")) {}

  sim::CoreState &state() { return dynamic_cast<sim::DeviceBase &>(*device).state(); }
  uint8_t *scratch(isa::Scope scope) { return state().scratchpad(scope).data(); }

  void setRow(isa::Scope scope, unsigned row, const std::vector<int> &lanes) {
    for (unsigned lane = 0; lane < lanes.size(); ++lane)
      scratch(scope)[row * N + lane] = static_cast<uint8_t>(lanes[lane]);
  }
  void setAcc(unsigned row, const std::vector<int32_t> &lanes) {
    std::memcpy(scratch(isa::Scope::Acc) + row * 4 * N, lanes.data(), 4 * lanes.size());
  }
  std::vector<int> row(isa::Scope scope, unsigned row) {
    const auto *bytes = reinterpret_cast<const int8_t *>(scratch(scope)) + row * N;
    return std::vector<int>(bytes, bytes + N);
  }
  std::vector<int> acc(unsigned row) {
    std::vector<int> lanes(N);
    std::memcpy(lanes.data(), scratch(isa::Scope::Acc) + row * 4 * N, 4 * N);
    return lanes;
  }
  /// The DRAM bytes at an offset from base register 1.
  std::vector<int> dram(uint32_t offset, unsigned bytes) {
    const uint8_t *first = device->dram().data() + DeviceHarness::Base1 + offset;
    return std::vector<int>(first, first + bytes);
  }

  /// Runs the instructions and a finish; they must end without a fault.
  void run(std::vector<isa::Instruction> instructions) {
    instructions.push_back(isa::Finish{});
    device.run(instructions);
    EXPECT_EQ(device.status(), isa::DeviceStatus::Done) << device->faultDetail();
    if (device.status() == isa::DeviceStatus::Done)
      FormLog::instance().record(GetParam(), instructions);
    FormLog::instance().record(GetParam(), device.cause());
  }

  static constexpr unsigned N = 8; ///< of `tiny`
  DeviceHarness device;
};

} // namespace daedalus::testing
