// Plans as files: one dae.plan, as docs/plans.md says.

#ifndef DAEDALUS_LIB_PIPELINES_PLANFILE_H
#define DAEDALUS_LIB_PIPELINES_PLANFILE_H

#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/support/result.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace daedalus {

/// A module of one dae.plan. An error names the file; null where MLIR has said a diagnostic, at a line.
Result<mlir::OwningOpRef<mlir::ModuleOp>> readPlanFile(const std::string &path, mlir::MLIRContext &context);

/// A module of one operation that is a target's schedule (SchedulingInterface); errors as above.
Result<mlir::OwningOpRef<mlir::ModuleOp>> readScheduleFile(const std::string &path,
                                                           mlir::MLIRContext &context);

/// The plan of such a module; null where there is no module.
dae::PlanOp planOf(mlir::OwningOpRef<mlir::ModuleOp> &file);

std::string printPlan(dae::PlanOp plan);

} // namespace daedalus

#endif
