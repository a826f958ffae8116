// See StreamCalls.h.

#include "StreamCalls.h"

#include "daedalus/Analysis/Views.h"
#include "daedalus/Target/Accelerator/Settings.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
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

using Slots = llvm::DenseMap<mlir::Value, Slot>;

/// The places that plan-memory gave the tensors of a stream; nothing where some have none.
std::optional<Slots> slotsOf(host::StepOp step, const StreamCalls &stream) {
  mlir::func::FuncOp function = stream.function;
  llvm::SmallVector<mlir::Value> tensors;
  llvm::append_range(tensors, function.getArguments());
  for (mlir::func::CallOp call : stream.calls)
    tensors.push_back(call.getResult(0));
  if (!step.getSlots() || step.getSlots()->size() != tensors.size())
    return std::nullopt;
  Slots slots;
  for (auto [tensor, slot] : llvm::zip(tensors, step.getSlots()->getAsRange<host::SlotAttr>()))
    slots[tensor] = {slot.getOffset(), slot.getPitch(), slot.getChannel(), slot.getPadded()};
  return slots;
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
mlir::LogicalResult checkStream(host::StepOp step, mlir::func::FuncOp stream) {
  size_t calls = 0;
  for (mlir::Operation &op : stream.getBody().front()) {
    if (!mlir::isa<mlir::func::CallOp, mlir::func::ReturnOp>(op) && !isView(&op))
      return op.emitError("is in a stream; expected calls of kernels and views");
    calls += mlir::isa<mlir::func::CallOp>(op);
  }
  if (calls != step.getLayers().size())
    return step.emitOpError("has ") << step.getLayers().size() << " layers for " << calls << " calls";
  return mlir::success();
}

/// Whether a step is a stream of this target.
bool isOwn(host::StepOp step) {
  return step.getTarget() == Settings::target;
}

using CallNumbers = llvm::DenseMap<mlir::Operation *, int64_t>;

/// Which of its kernel's calls each call of a stream is, in the order of the steps.
CallNumbers numbersOf(const mlir::SymbolTable &symbols, mlir::func::FuncOp main) {
  llvm::StringMap<int64_t> next;
  CallNumbers numbers;
  for (auto step : main.getOps<host::StepOp>())
    if (auto function = symbols.lookup<mlir::func::FuncOp>(step.getCallee());
        function && !function.isExternal() && isOwn(step))
      for (auto call : function.getOps<mlir::func::CallOp>())
        numbers[call] = next[call.getCallee()]++;
  return numbers;
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

mlir::FailureOr<std::vector<StreamCalls>> streamCallsOf(mlir::ModuleOp module) {
  host::PackageOp package = host::packageOf(module);
  if (!package)
    return callsOfMain(module);
  const mlir::SymbolTable symbols(module);
  std::vector<StreamCalls> streams;
  auto main = symbols.lookup<mlir::func::FuncOp>(package.getEntry());
  const auto numbers = std::make_shared<CallNumbers>(numbersOf(symbols, main));
  for (auto step : main.getOps<host::StepOp>()) {
    auto function = symbols.lookup<mlir::func::FuncOp>(step.getCallee());
    if (!function || function.isExternal() || !isOwn(step) ||
        function.getBody().front().getOps<mlir::func::CallOp>().empty())
      continue;
    mlir::FailureOr<StreamCalls> stream = callsOf(function);
    if (failed(stream) || failed(checkStream(step, function)))
      return mlir::failure();
    stream->step = step;
    stream->layers.assign(step.getLayers().begin(), step.getLayers().end());
    std::optional<Slots> slots = slotsOf(step, *stream);
    if (!slots)
      return step.emitOpError("runs a stream without a place in the arena; run plan-memory first");
    stream->placement.slot = [slots = std::move(*slots)](mlir::Value value) {
      return slots.lookup(rootOf(value));
    };
    stream->placement.number = [numbers](mlir::func::CallOp call) { return numbers->lookup(call); };
    streams.push_back(std::move(*stream));
  }
  return streams;
}

} // namespace daedalus::accelerator
