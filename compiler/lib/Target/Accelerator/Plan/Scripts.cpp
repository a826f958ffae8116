// See Scripts.h.

#include "Plan/Scripts.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace daedalus::accelerator {

Scripts::Scripts(std::vector<KernelCall> &calls, const isa::Machine &machine)
    : calls(calls), machine(machine), kept(calls.size()) {}

std::vector<Piece> Scripts::tilesOf(const Group &group) {
  atOnce = std::max(MostRecent, group.schedules.size());
  std::vector<Script *> scripts;
  for (auto [i, schedule] : llvm::enumerate(group.schedules)) {
    calls[group.first + i].schedule = schedule;
    scripts.push_back(of(group.first + i, schedule));
  }
  return wavefrontOf(scripts, llvm::ArrayRef(calls).slice(group.first, scripts.size()), group.lag);
}

void Scripts::keep(size_t call, llvm::ArrayRef<Schedule> schedules) {
  for (const Schedule &schedule : schedules)
    if (llvm::none_of(kept[call], [&](const Entry &entry) { return entry.schedule == schedule; }))
      kept[call].push_back({call, schedule, nullptr});
}

Script *Scripts::of(size_t call, const Schedule &schedule) {
  const auto isAsked = [&](const Entry &entry) { return entry.call == call && entry.schedule == schedule; };
  if (auto found = llvm::find_if(kept[call], isAsked); found != kept[call].end())
    return make(*found);
  if (auto found = llvm::find_if(recent, isAsked); found != recent.end()) {
    std::rotate(recent.begin(), found, std::next(found));
  } else {
    recent.push_front({call, schedule, nullptr});
    if (recent.size() > atOnce)
      recent.pop_back();
  }
  return make(recent.front());
}

Script *Scripts::make(Entry &entry) {
  if (!entry.script)
    entry.script = std::make_unique<Script>(calls[entry.call], entry.call, machine);
  return entry.script.get();
}

} // namespace daedalus::accelerator
