// The parts of a compilation on the wall clock, as MLIR's own timing sees them: each pass, by its name, and
// what is done beside the passes.

#ifndef DAEDALUS_LIB_PIPELINES_PHASES_H
#define DAEDALUS_LIB_PIPELINES_PHASES_H

#include "daedalus/Pipelines/Compile.h"

#include "mlir/Support/Timing.h"

#include <chrono>
#include <deque>

namespace mlir {
class PassManager;
} // namespace mlir

namespace daedalus {

class Phases : private mlir::TimingManager {
public:
  /// `begins`: as phaseBegins of CompileOptions.
  explicit Phases(std::function<void(const std::string &)> begins);

  /// What runs from now on, outside of passes, counts to `phase`.
  void enter(const std::string &phase);
  /// Each pass that runs counts to itself. To be called when all else is set up.
  void time(mlir::PassManager &passes);
  /// All phases, in the order in which they were first entered.
  std::vector<Phase> take();

private:
  struct Timer {
    std::string name;
    const void *around, *id;
    bool isPhase;          ///< a pass, or entered; pipelines, and analyses of passes, are none
    bool isInside = false; ///< of a phase
    double seconds = 0;
    std::chrono::steady_clock::time_point started{};
  };

  std::optional<void *> rootTimer() override { return &all; }
  void startTimer(void *handle) override;
  void stopTimer(void *handle) override;
  void *nestTimer(void *handle, const void *id, llvm::function_ref<std::string()> name) override;
  void hideTimer(void *) override {}

  std::function<void(const std::string &)> begins;
  Timer all{"", nullptr, nullptr, false};
  std::deque<Timer> timers;
  unsigned running = 0;    ///< phases
  bool isEntering = false; ///< what is nested is named by who enters it
  mlir::TimingScope root, current;
};

} // namespace daedalus

#endif
