// The machine that a module is compiled for, as an attribute: passes find it in the module, so that a printed
// module says all that its passes need.

#ifndef DAEDALUS_DIALECT_DAE_TRANSFORMS_MACHINE_H
#define DAEDALUS_DIALECT_DAE_TRANSFORMS_MACHINE_H

#include "daedalus/isa/machine.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace daedalus::dae {

/// Of a module that has no dae.package yet; there it is the attribute `machine`.
constexpr const char *machineName = "dae.machine";

/// The machine's name and every key of a machine file, as a dictionary.
mlir::DictionaryAttr toAttribute(mlir::MLIRContext *context, const isa::Machine &machine);

/// The machine of such a dictionary, checked like a machine file.
Result<isa::Machine> fromAttribute(mlir::DictionaryAttr attribute);

/// The machine named `option` (one of the built-in ones, or a file) or, where that is empty, the one of the
/// module that `op` is or lies in; without either, `default`. An error where both are there and differ.
Result<isa::Machine> machineOf(mlir::Operation *op, const std::string &option);

} // namespace daedalus::dae

#endif
