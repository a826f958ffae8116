// Files of schedules: a section of each target that has one; and entries of such sections.

#ifndef DAEDALUS_LIB_PIPELINES_SCHEDULEFILE_H
#define DAEDALUS_LIB_PIPELINES_SCHEDULEFILE_H

#include "daedalus/Target/Schedule.h"
#include "daedalus/support/result.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace daedalus {

/// A file of at least one section, each of a target's own, as a module of these. An error, or null where
/// MLIR has said a diagnostic with the file's name and line.
Result<mlir::OwningOpRef<mlir::ModuleOp>> readScheduleFile(const std::string &path,
                                                           mlir::MLIRContext &context);

/// The dialects whose schedules are searched for, by the names of their sections.
std::vector<const SchedulingInterface *> searchedSchedules(mlir::MLIRContext &context);

/// Adds entries for kernels that the schedules in a module do not name. Where they cannot be read, a
/// diagnostic in `file` says why.
mlir::LogicalResult addEntries(mlir::ModuleOp module, const std::vector<ScheduleEntry> &entries,
                               const std::string &file);

} // namespace daedalus

#endif
