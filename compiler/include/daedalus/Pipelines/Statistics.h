// What --mlir-pass-statistics prints of our passes: what they count (CountingPass), and numbers read off
// the module behind each.

#ifndef DAEDALUS_PIPELINES_STATISTICS_H
#define DAEDALUS_PIPELINES_STATISTICS_H

#include "mlir/Pass/PassInstrumentation.h"

#include <memory>

namespace daedalus {

/// Prints a line for each pass that has numbers to tell on stderr, when the pass manager ends.
std::unique_ptr<mlir::PassInstrumentation> passStatistics();

} // namespace daedalus

#endif
