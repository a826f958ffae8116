// The machine that a module is compiled for, as an attribute of its host.placement or host.package: passes
// find it there, so that a printed module says all that its passes need.

#ifndef DAEDALUS_DIALECT_DAE_TRANSFORMS_MACHINE_H
#define DAEDALUS_DIALECT_DAE_TRANSFORMS_MACHINE_H

#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/isa/machine.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"

namespace daedalus::dae {

/// The machine's name and every key of a machine file, as a dictionary.
mlir::DictionaryAttr toAttribute(mlir::MLIRContext *context, const isa::Machine &machine);

/// The host.placement of a module, made where there is none, with this machine.
host::PlacementOp placeOn(mlir::ModuleOp module, const isa::Machine &machine);

/// The machine of such a dictionary, checked like a machine file.
Result<isa::Machine> fromAttribute(mlir::DictionaryAttr attribute);

/// The machine named `option` (one of the built-in ones, or a file) or, where that is empty, the one of the
/// module that `op` is or lies in; without either, `default`. An error where both are there and differ.
Result<isa::Machine> machineOf(mlir::Operation *op, const std::string &option);

} // namespace daedalus::dae

#endif
