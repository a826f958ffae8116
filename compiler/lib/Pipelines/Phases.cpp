// See Phases.h.

#include "Phases.h"

#include "mlir/Pass/Pass.h"

#include "llvm/ADT/StringSwitch.h"

#include <algorithm>

using namespace mlir;

namespace daedalus {
namespace {

/// By the pass's argument; empty where it counts to the phase before.
StringRef phaseOf(StringRef pass) {
  return llvm::StringSwitch<StringRef>(pass)
      .Cases("qnn-fold-constants", "qnn-signed-storage", "qnn-fold-into-weights", "qnn-fuse-quantization",
             "qnn-channels-last", "graph")
      .Cases("convert-graph-to-linalg", "form-kernels", "qnn-raise-scales", "kernels")
      .Cases("place-kernels", "form-streams", "placement")
      .Case("cpu-lower-kernels", "CPU code")
      .Cases("plan-memory", "dae-blockize", "plan")
      .Cases("dae-tensorize", "dae-allocate", "dae-tokens", "dae-masks", "instructions")
      .Default("");
}

struct Follow : PassInstrumentation {
  explicit Follow(Phases &phases) : phases(phases) {}
  void runBeforePass(Pass *pass, Operation *) override {
    const StringRef phase = phaseOf(pass->getArgument());
    if (!phase.empty())
      phases.enter(phase.str());
  }
  Phases &phases;
};

} // namespace

void Phases::enter(const std::string &phase) {
  if (phase == current)
    return;
  leave();
  current = phase;
  if (begins)
    begins(phase);
}

void Phases::leave() {
  const double seconds = stopwatch.lap();
  if (current.empty())
    return;
  auto found =
      std::find_if(all.begin(), all.end(), [&](const Phase &phase) { return phase.name == current; });
  if (found == all.end())
    found = all.insert(all.end(), {current, 0});
  found->seconds += seconds;
}

std::vector<Phase> Phases::take() {
  leave();
  current.clear();
  return std::move(all);
}

std::unique_ptr<PassInstrumentation> Phases::instrumentation() {
  return std::make_unique<Follow>(*this);
}

} // namespace daedalus
