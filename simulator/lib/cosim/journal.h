// What one device did, by instruction.
#pragma once

#include "daedalus/simulator/device.h"

#include <deque>
#include <map>
#include <vector>

namespace daedalus::cosim {

struct ByteWrite {
  isa::Scope scope; ///< None: DRAM
  uint64_t address;
  uint8_t value;
  uint64_t cycle;
};

struct Journal : sim::Observer {
  void started(uint32_t index, isa::CounterModule module, uint64_t cycle) override;
  void wrote(const sim::WriteEvent &event) override;
  void retired(const sim::InstructionEvent &event) override;

  /// Forgets the front instruction of a module, which was compared.
  void forget(isa::CounterModule module);
  void clear();
  /// The last events, one a line.
  std::string recent() const;

  std::array<std::deque<sim::InstructionEvent>, isa::CounterModuleCount> ends;
  std::map<uint32_t, std::vector<ByteWrite>> writes;

private:
  std::deque<std::string> last;
  void remember(const std::string &line);
};

} // namespace daedalus::cosim
