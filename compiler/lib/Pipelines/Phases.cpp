// See Phases.h.

#include "Phases.h"

#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace mlir;

namespace daedalus {

/// MLIR times passes by the names of their classes; their arguments are the same in lower case:
/// "PlaceKernels", "place-kernels".
static std::string argumentOf(StringRef name) {
  std::string argument;
  for (char c : name) {
    if (llvm::isUpper(c) && !argument.empty())
      argument += '-';
    argument += llvm::toLower(c);
  }
  return argument;
}

Phases::Phases(std::function<void(const std::string &)> begins) : begins(std::move(begins)) {
  root = getRootScope();
}

void Phases::enter(const std::string &phase) {
  current = TimingScope();
  isEntering = true;
  current = root.nest(phase);
  isEntering = false;
}

void Phases::time(PassManager &passes) {
  current = TimingScope();
  passes.enableTiming(root);
}

void Phases::startTimer(void *handle) {
  auto &timer = *static_cast<Timer *>(handle);
  timer.started = std::chrono::steady_clock::now();
  running += timer.isPhase;
  if (timer.isPhase && begins)
    begins(timer.name);
}

void Phases::stopTimer(void *handle) {
  auto &timer = *static_cast<Timer *>(handle);
  running -= timer.isPhase;
  timer.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - timer.started).count();
}

void *Phases::nestTimer(void *handle, const void *id, llvm::function_ref<std::string()> name) {
  const std::string own = name(), shown = isEntering ? own : argumentOf(own);
  const auto known = std::find_if(timers.begin(), timers.end(), [&](const Timer &timer) {
    return timer.around == handle && timer.id == id && timer.name == shown; // an id is an address, used again
  });
  if (known != timers.end())
    return &*known;
  // "'func.func' Pipeline", "Pipeline Collection : ['func.func']", "(A) DominanceInfo", and passes that a
  // pass runs
  const auto &around = *static_cast<const Timer *>(handle);
  const bool isInside = running || around.isInside; // MLIR nests pipelines that a pass runs beside it
  const bool isPart = own[0] == '\'' || own[0] == '(' || StringRef(own).starts_with("Pipeline Collection");
  timers.push_back({shown, handle, id, !isPart && !isInside, isInside});
  return &timers.back();
}

std::vector<Phase> Phases::take() {
  current = TimingScope();
  std::vector<Phase> phases;
  for (const Timer &timer : timers)
    if (timer.isPhase)
      phases.push_back({timer.name, timer.seconds});
  timers.clear();
  return phases;
}

} // namespace daedalus
