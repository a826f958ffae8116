// See StreamCalls.h.

#include "StreamCalls.h"

#include "daedalus/Analysis/Views.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

#include <memory>

namespace daedalus::accelerator {
namespace {

/// Tensors one after the other, views where their source is.
class Sequential {
public:
  int64_t offsetOf(mlir::Value value) {
    value = rootOf(value);
    auto [it, isNew] = offsets.try_emplace(value, next);
    if (isNew)
      next = llvm::alignTo(next + bytesOf(mlir::cast<mlir::ShapedType>(value.getType())), 64);
    return it->second;
  }

private:
  static int64_t bytesOf(mlir::ShapedType type) {
    return type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  }

  llvm::DenseMap<mlir::Value, int64_t> offsets;
  int64_t next = 0;
};

/// The place that plan-memory gave a tensor of a stream.
Slot slotOf(mlir::Value value) {
  value = rootOf(value);
  dae::SlotAttr slot;
  if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(value))
    slot = mlir::cast<mlir::func::FuncOp>(argument.getOwner()->getParentOp())
               .getArgAttrOfType<dae::SlotAttr>(argument.getArgNumber(), dae::slotName);
  else
    slot = value.getDefiningOp()->getAttrOfType<dae::SlotAttr>(dae::slotName);
  return {slot.getOffset(), slot.getPitch(), slot.getChannel()};
}

mlir::LogicalResult checkTypes(mlir::func::CallOp call) {
  llvm::SmallVector<mlir::Type> types(call.getOperandTypes());
  types.append(call.result_type_begin(), call.result_type_end());
  for (mlir::Type type : types)
    if (auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type); !tensor || !tensor.hasStaticShape())
      return call.emitError("has the operand or result ") << type << "; expected tensors of a static shape";
  return mlir::success();
}

/// A stream as form-streams and plan-memory leave it: calls with places, and views.
mlir::LogicalResult checkStream(dae::StepOp step, mlir::func::FuncOp stream) {
  for (unsigned i = 0; i < stream.getNumArguments(); ++i)
    if (!stream.getArgAttrOfType<dae::SlotAttr>(i, dae::slotName))
      return stream.emitError("has an argument without a place in the arena; run plan-memory first");
  size_t calls = 0;
  for (mlir::Operation &op : stream.getBody().front()) {
    if (mlir::isa<mlir::func::CallOp>(op) && !op.getAttrOfType<dae::SlotAttr>(dae::slotName))
      return op.emitError("has a result without a place in the arena; run plan-memory first");
    if (!mlir::isa<mlir::func::CallOp, mlir::func::ReturnOp>(op) && !isView(&op))
      return op.emitError("stands in a stream; expected calls of kernels and views");
    calls += mlir::isa<mlir::func::CallOp>(op);
  }
  if (calls != step.getLayers().size())
    return step.emitOpError("has ") << step.getLayers().size() << " layers for " << calls << " calls";
  return mlir::success();
}

mlir::FailureOr<StreamCalls> callsOf(mlir::func::FuncOp function) {
  StreamCalls stream;
  stream.function = function;
  for (auto call : function.getOps<mlir::func::CallOp>())
    stream.calls.push_back(call);
  for (auto [k, call] : llvm::enumerate(stream.calls)) {
    if (failed(checkTypes(call)))
      return mlir::failure();
    stream.layers.push_back(k);
  }
  return stream;
}

mlir::FailureOr<std::vector<StreamCalls>> callsOfMain(mlir::ModuleOp module) {
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  if (!main || main.isExternal())
    return module.emitError("has no function main");
  mlir::FailureOr<StreamCalls> stream = callsOf(main);
  if (failed(stream))
    return mlir::failure();
  auto arena = std::make_shared<Sequential>();
  stream->placement.slot = [arena](mlir::Value value) { return Slot{arena->offsetOf(value)}; };
  return std::vector{std::move(*stream)};
}

} // namespace

dae::PackageOp packageOf(mlir::ModuleOp module) {
  auto packages = module.getOps<dae::PackageOp>();
  return packages.empty() ? dae::PackageOp() : *packages.begin();
}

mlir::FailureOr<std::vector<StreamCalls>> streamCallsOf(mlir::ModuleOp module) {
  dae::PackageOp package = packageOf(module);
  if (!package)
    return callsOfMain(module);
  const mlir::SymbolTable symbols(module);
  std::vector<StreamCalls> streams;
  auto main = symbols.lookup<mlir::func::FuncOp>(package.getEntry());
  for (auto step : main.getOps<dae::StepOp>()) {
    auto function = symbols.lookup<mlir::func::FuncOp>(step.getCallee());
    if (!function || function.isExternal() || !function->hasAttr(dae::streamName) ||
        function.getBody().front().getOps<mlir::func::CallOp>().empty())
      continue;
    mlir::FailureOr<StreamCalls> stream = callsOf(function);
    if (failed(stream) || failed(checkStream(step, function)))
      return mlir::failure();
    stream->step = step;
    stream->layers.assign(step.getLayers().begin(), step.getLayers().end());
    stream->placement.slot = slotOf;
    streams.push_back(std::move(*stream));
  }
  return streams;
}

} // namespace daedalus::accelerator
