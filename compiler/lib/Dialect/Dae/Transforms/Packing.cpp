// See Packing.h.

#include "Packing.h"

namespace daedalus::dae {

std::optional<llvm::APInt> Packing::pack(llvm::ArrayRef<int64_t> constants) const {
  llvm::SmallVector<llvm::APInt, 4> values;
  for (auto [input, value] : llvm::zip_equal(inputs, constants))
    values.emplace_back(input.bits, static_cast<uint64_t>(wrapped(value, input.bits)), true);
  return element.evaluate(values);
}

mlir::FailureOr<Packing> readPackingFunction(mlir::func::FuncOp function, unsigned bits) {
  if (function.isExternal() || !function.getBody().hasOneBlock() || function.getNumResults() != 1 ||
      !function.getResultTypes()[0].isSignlessInteger(bits) || function.getNumArguments() == 0)
    return function.emitOpError(
               "is not a packing function; expected a function of integers, with a body, to an i")
           << bits;
  Packing packing;
  for (mlir::BlockArgument argument : function.getArguments()) {
    auto type = mlir::dyn_cast<mlir::IntegerType>(argument.getType());
    if (!type || !type.isSignless() || type.getWidth() < 1 || type.getWidth() > 64)
      return function.emitOpError("packs a value of type ") << argument.getType() << "; expected i1 to i64";
    Packing::Constant input{type.getWidth(), leastOf(type.getWidth()), greatestOf(type.getWidth())};
    if (const mlir::Attribute given = function.getArgAttr(argument.getArgNumber(), "dae.range")) {
      auto range = mlir::dyn_cast<RangeAttr>(given);
      if (!range || range.getLow() < input.low || range.getHigh() > input.high)
        return function.emitOpError("has dae.range = ") << given << "; expected a #dae.range of an " << type;
      input.low = range.getLow(), input.high = range.getHigh();
    }
    packing.inputs.push_back(input);
  }
  mlir::FailureOr<ScalarFunction> element = ScalarFunction::read(function.getBody().front());
  if (failed(element))
    return mlir::failure();
  packing.element = std::move(*element);
  return packing;
}

} // namespace daedalus::dae
