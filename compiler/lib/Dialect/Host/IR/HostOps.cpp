// Verifiers of the host's operations: what assembly and targets take for granted.

#include "daedalus/Dialect/Host/IR/Host.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

#define GET_OP_CLASSES
#include "daedalus/Dialect/Host/IR/HostOps.cpp.inc"

namespace daedalus::host {
using mlir::LogicalResult;
using mlir::success;

LogicalResult PackageOp::verifySymbolUses(mlir::SymbolTableCollection &symbols) {
  auto entry = symbols.lookupNearestSymbolFrom<mlir::func::FuncOp>(*this, getEntryAttr());
  if (!entry || entry.isExternal())
    return emitOpError("has the entry ") << getEntryAttr() << ", which is not a function with a body";
  if (entry.getNumArguments() != getInputs().size() || entry.getNumResults() != getOutputs().size())
    return emitOpError("has ") << getInputs().size() << " inputs and " << getOutputs().size()
                               << " outputs, its entry " << entry.getNumArguments() << " arguments and "
                               << entry.getNumResults() << " results";
  return success();
}

LogicalResult StepOp::verify() {
  if (getOffsets() && getOffsets()->size() != getNumResults())
    return emitOpError("has ") << getOffsets()->size() << " offsets for " << getNumResults() << " results";
  if (getLayers().empty())
    return emitOpError("has no layer; expected those that run in it");
  return success();
}

LogicalResult StepOp::verifySymbolUses(mlir::SymbolTableCollection &symbols) {
  if (!symbols.lookupNearestSymbolFrom<mlir::func::FuncOp>(*this, getCalleeAttr()))
    return emitOpError("has the callee ") << getCalleeAttr() << ", which is not a function";
  if (!getConstants())
    return success();
  for (auto name : getConstants()->getAsRange<mlir::FlatSymbolRefAttr>()) {
    auto global = symbols.lookupNearestSymbolFrom<mlir::memref::GlobalOp>(*this, name);
    if (!global || !global.getConstantInitValue())
      return emitOpError("has the constant ") << name << ", which is not a constant global";
  }
  return success();
}

} // namespace daedalus::host
