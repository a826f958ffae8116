// Only the instructions that work, or wait for the other device, have their writes here.
#include "cosim/journal.h"

#include <algorithm>

namespace daedalus::cosim {

constexpr size_t Remembered = 512; ///< events; more than a chunk of the comparison brings
constexpr size_t Shown = 8;

void Writes::add(const sim::WriteEvent &event) {
  if (cycles.empty() || cycles.back().second != event.cycle)
    cycles.push_back({bytes.size(), event.cycle});
  const bool continues = !runs.empty() && runs.back().scope == event.scope &&
                         runs.back().address + runs.back().count == event.address;
  if (!continues)
    runs.push_back({event.scope, event.address, bytes.size(), 0});
  runs.back().count += event.data.size();
  bytes.insert(bytes.end(), event.data.begin(), event.data.end());
}

void Writes::clear() {
  runs.clear();
  bytes.clear();
  cycles.clear();
}

uint64_t Writes::cycleOf(size_t at) const {
  const auto after = std::upper_bound(cycles.begin(), cycles.end(), at,
                                      [](size_t byte, const auto &entry) { return byte < entry.first; });
  return after == cycles.begin() ? 0 : (after - 1)->second;
}

void Journal::started(uint32_t index, isa::CounterModule module, uint64_t cycle) {
  latestStart = cycle;
  remember({{index, module, cycle, cycle}, false});
}

void Journal::wrote(const sim::WriteEvent &event) {
  auto at =
      std::find_if(open.rbegin(), open.rend(), [&](const auto &entry) { return entry.first == event.index; });
  if (at == open.rend()) {
    open.emplace_back(event.index, Writes());
    if (!spare.empty()) {
      open.back().second = std::move(spare.back());
      spare.pop_back();
    }
    at = open.rbegin();
  }
  at->second.add(event);
}

void Journal::retired(const sim::InstructionEvent &event) {
  retirements(event.module).push_back(event);
  remember({event, true});
}

const Writes &Journal::writesOf(uint32_t index) const {
  static const Writes none;
  for (const auto &[instruction, writes] : open)
    if (instruction == index)
      return writes;
  return none;
}

void Journal::forget(isa::CounterModule module) {
  std::deque<sim::InstructionEvent> &queue = retirements(module);
  const auto at = std::find_if(open.begin(), open.end(),
                               [&](const auto &entry) { return entry.first == queue.front().index; });
  queue.pop_front();
  if (at == open.end())
    return;
  at->second.clear();
  spare.push_back(std::move(at->second));
  open.erase(at);
}

std::vector<std::string> Journal::recent(uint64_t cycle) const {
  std::vector<std::string> lines;
  for (auto event = events.rbegin(); event != events.rend() && lines.size() < Shown; ++event)
    if (event->cycle() <= cycle) {
      const sim::InstructionEvent &i = event->instruction;
      lines.push_back("cycle " + std::to_string(event->cycle()) + ": " + isa::name(i.module) +
                      (event->ends ? " ends" : " starts") + " instruction " + std::to_string(i.index) +
                      (event->ends ? ", started in cycle " + std::to_string(i.start) : ""));
    }
  std::reverse(lines.begin(), lines.end());
  return lines;
}

void Journal::remember(const Event &event) {
  events.push_back(event);
  if (events.size() > Remembered)
    events.pop_front();
}

} // namespace daedalus::cosim
