// Writes are kept until their instruction was compared; of events the last few, for the report.
#include "cosim/journal.h"

#include <cstdio>

namespace daedalus::cosim {

void Journal::started(uint32_t index, isa::CounterModule module, uint64_t cycle) {
  remember("cycle " + std::to_string(cycle) + ": " + isa::name(module) + " starts instruction " +
           std::to_string(index));
}

void Journal::wrote(const sim::WriteEvent &event) {
  std::vector<ByteWrite> &log = writes[event.index];
  for (size_t i = 0; i < event.data.size(); ++i)
    log.push_back({event.scope, event.address + i, event.data.data()[i], event.cycle});
}

void Journal::retired(const sim::InstructionEvent &event) {
  ends[static_cast<unsigned>(event.module)].push_back(event);
  remember("cycle " + std::to_string(event.end) + ": " + isa::name(event.module) + " ends instruction " +
           std::to_string(event.index) + ", started in " + std::to_string(event.start));
}

void Journal::forget(isa::CounterModule module) {
  auto &queue = ends[static_cast<unsigned>(module)];
  writes.erase(queue.front().index);
  queue.pop_front();
}

void Journal::clear() {
  for (auto &queue : ends)
    queue.clear();
  writes.clear();
  last.clear();
}

std::string Journal::recent() const {
  std::string text;
  for (const std::string &line : last)
    text += "    " + line + "\n";
  return text;
}

void Journal::remember(const std::string &line) {
  last.push_back(line);
  if (last.size() > 8)
    last.pop_front();
}

} // namespace daedalus::cosim
