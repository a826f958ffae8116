// Which targets a kernel can run on.

#ifndef DAEDALUS_LIB_PIPELINES_PLACEMENT_CANDIDATES_H
#define DAEDALUS_LIB_PIPELINES_PLACEMENT_CANDIDATES_H

#include "daedalus/Analysis/Work.h"
#include "daedalus/Target/Choice.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>
#include <vector>

namespace daedalus {

/// A target that a kernel can run on.
struct Candidate {
  const Target *target;
  std::string reason;
  uint64_t size = 0;           ///< as of Support
  std::optional<double> price; ///< in microseconds of one call; nothing where nobody asked
};

/// Those of a kernel by itself, whatever stands around it, the fallback last. `host`: its hostWork(), with
/// the reason that its neighbours complete; `asked`: of one target alone the only candidate is that one, or
/// the fallback for work at the boundary; `isPriced`: prices decide, and not that it moves
/// single elements. A diagnostic says why the target that was asked for does not take it.
mlir::FailureOr<std::vector<Candidate>> candidatesOf(mlir::func::FuncOp kernel,
                                                     const std::optional<HostWork> &host,
                                                     const TargetChoice &asked, bool isPriced,
                                                     TargetStates &states);

} // namespace daedalus

#endif
