// MLIR's own options (--mlir-...) on the command line of `compile`.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace mlir {
class PassManager;
} // namespace mlir

namespace daedalus::cli {

/// Parses the options and returns what they do to a pass manager. Throws Usage.
std::function<bool(mlir::PassManager &)> mlirOptions(const std::vector<std::string> &options);

} // namespace daedalus::cli
