// The parts of a compilation on the wall clock: each pass counts to one of them.

#ifndef DAEDALUS_LIB_PIPELINES_PHASES_H
#define DAEDALUS_LIB_PIPELINES_PHASES_H

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/support/stopwatch.h"

#include "mlir/Pass/PassInstrumentation.h"

namespace daedalus {

class Phases {
public:
  /// `begins`: as phaseBegins of CompileOptions.
  explicit Phases(std::function<void(const std::string &)> begins) : begins(std::move(begins)) {}

  /// What runs from now on counts to `phase`.
  void enter(const std::string &phase);
  /// All phases, in the order in which they were first entered.
  std::vector<Phase> take();

  /// Enters the phase of each pass that runs.
  std::unique_ptr<mlir::PassInstrumentation> instrumentation();

private:
  void leave();

  std::function<void(const std::string &)> begins;
  Stopwatch stopwatch;
  std::vector<Phase> all;
  std::string current;
};

} // namespace daedalus

#endif
