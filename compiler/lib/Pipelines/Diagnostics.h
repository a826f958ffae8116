// MLIR's diagnostics as one sentence for the user.

#ifndef DAEDALUS_LIB_PIPELINES_DIAGNOSTICS_H
#define DAEDALUS_LIB_PIPELINES_DIAGNOSTICS_H

#include "daedalus/support/result.h"

#include "mlir/IR/Diagnostics.h"

namespace daedalus {

/// The name of the ONNX node of a location; empty without one.
std::string nodeOf(mlir::Location loc);

/// Keeps the first error of a context while it lives, or since it forgot.
class Diagnostics {
public:
  explicit Diagnostics(mlir::MLIRContext &context);
  /// "node 'Conv_3': ...", or with file and line; with `file` where the error has no place.
  Error take(const std::string &file = "") const;
  /// Before other work in the same context.
  void forget() { first.clear(); }

private:
  std::string first;
  bool hasPlace = false;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace daedalus

#endif
