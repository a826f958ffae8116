// The machine that a module is compiled for, which its host.placement or host.package says: passes find it
// there, so that a printed module says all that its passes need.

#ifndef DAEDALUS_DIALECT_DAE_TRANSFORMS_MACHINE_H
#define DAEDALUS_DIALECT_DAE_TRANSFORMS_MACHINE_H

#include "daedalus/isa/machine.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"

namespace daedalus::dae {

/// What a module says of the accelerator: `machine`, a dictionary of its name and every key of a machine
/// file.
mlir::DictionaryAttr toRecord(mlir::MLIRContext *context, const isa::Machine &machine);

/// The machine named `option` (one of the built-in ones, or a file) or, where that is empty, the one of the
/// module that `op` is or lies in; without either, `default`. An error where both are there and differ.
Result<isa::Machine> machineOf(mlir::Operation *op, const std::string &option);

} // namespace daedalus::dae

#endif
