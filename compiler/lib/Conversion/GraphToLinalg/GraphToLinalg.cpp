// Walks the graph in order; each operation with the tosa.cast and tosa.clamp that follow it becomes one
// kernel.

#include "daedalus/Conversion/GraphToLinalg/GraphToLinalg.h"

#include "Groups.h"

#include "daedalus/Analysis/Locations.h"

#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace daedalus {
namespace {

RankedTensorType storageType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  if (auto quantized = dyn_cast<quant::QuantizedType>(tensor.getElementType()))
    return tensor.clone(quantized.getStorageType());
  return tensor;
}

class Converter {
public:
  explicit Converter(ModuleOp graph)
      : graph(graph), symbols(graph), module(ModuleOp::create(graph.getLoc())), builder(graph.getContext()) {}

  OwningOpRef<ModuleOp> run() {
    auto source = graph.lookupSymbol<func::FuncOp>("main");
    builder.setInsertionPointToEnd(module->getBody());
    auto type = source.getFunctionType();
    auto main = builder.create<func::FuncOp>(source.getLoc(), "main", type);
    if (auto attributes = source.getAllArgAttrs())
      main.setAllArgAttrs(attributes);
    if (auto attributes = source.getAllResultAttrs())
      main.setAllResultAttrs(attributes);
    builder.setInsertionPointToEnd(main.addEntryBlock());
    for (auto [from, to] : llvm::zip(source.getArguments(), main.getArguments())) {
      values.map(from, to);
      to.setLoc(from.getLoc());
    }
    for (Operation &op : source.getBody().front())
      if (!absorbed.contains(&op) && failed(convert(&op)))
        return nullptr;
    return failed(verify(*module)) ? nullptr : std::move(module);
  }

private:
  func::FuncOp calleeOf(func::CallOp call) const {
    return symbols.lookup<func::FuncOp>(call.getCalleeAttr().getAttr());
  }

  LogicalResult convert(Operation *op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<tosa::ConstOp>([](auto) { return success(); })
        .Case<quant::DequantizeCastOp>(
            [&](auto cast) { return isConstant(cast) ? success() : convertKernel(cast); })
        .Case<quant::StorageCastOp>([&](auto cast) {
          values.map(cast.getResult(), values.lookup(cast.getOperand()));
          return success();
        })
        .Case<func::ReturnOp>([&](func::ReturnOp op) {
          const SmallVector<Value> results = valuesOf(op.getOperands());
          builder.create<func::ReturnOp>(op.getLoc(), results);
          return success();
        })
        .Case<tosa::ReshapeOp>([&](auto op) { return convertReshape(op); })
        .Case<func::CallOp>([&](func::CallOp op) {
          return calleeOf(op).isExternal() ? convertExternal(op) : convertGeneral(op);
        })
        .Default([&](Operation *op) { return convertKernel(op); });
  }

  /// The values in the module that is made; a constant among them is a kernel of its own.
  SmallVector<Value> valuesOf(ValueRange all) {
    SmallVector<Value> result;
    for (Value value : all) {
      if (const DenseElementsAttr constant = values.contains(value) ? nullptr : elementsOf(value))
        values.map(value, constantKernel(value.getLoc(), constant));
      result.push_back(values.lookup(value));
    }
    return result;
  }

  Value constantKernel(Location loc, DenseElementsAttr constant) {
    const Type type = constant.getType();
    KernelBuilder kernel(*module, loc, symbolFor(loc), {}, type);
    func::FuncOp function =
        kernel.finish(kernel.elementwise(kernel.constant(constant), [](Value element) { return element; }));
    return builder.create<func::CallOp>(loc, function, ValueRange()).getResult(0);
  }

  LogicalResult convertReshape(tosa::ReshapeOp op) {
    kernels::Body body(builder, op.getLoc());
    values.map(op.getResult(), body.reshape(values.lookup(op.getInput1()), op.getType().getShape()));
    return success();
  }

  LogicalResult convertExternal(func::CallOp op) {
    auto callee = calleeOf(op);
    auto declaration = cast<func::FuncOp>(callee->clone());
    module->push_back(declaration);
    const SmallVector<Value> operands = valuesOf(op.getOperands());
    auto call = builder.create<func::CallOp>(op.getLoc(), declaration, operands);
    values.map(op.getResults(), call.getResults());
    return success();
  }

  /// A kernel that the importer has built.
  LogicalResult convertGeneral(func::CallOp op) {
    auto kernel = cast<func::FuncOp>(calleeOf(op)->clone());
    kernel.setName(symbolFor(op.getLoc()));
    module->push_back(kernel);
    values.map(op.getResults(), callOf(op.getLoc(), kernel, valuesOf(op.getOperands())).getResults());
    return success();
  }

  /// A kernel takes what it reads several times once.
  func::CallOp callOf(Location loc, func::FuncOp kernel, SmallVector<Value> operands) {
    for (size_t i = operands.size(); i-- > 0;) {
      auto *const first = llvm::find(operands, operands[i]);
      if (first == operands.begin() + i)
        continue;
      kernel.getArgument(i).replaceAllUsesWith(kernel.getArgument(first - operands.begin()));
      kernel.eraseArgument(i);
      operands.erase(operands.begin() + i);
    }
    return builder.create<func::CallOp>(loc, kernel, operands);
  }

  LogicalResult convertKernel(Operation *op) {
    if (failed(checkForm(op)))
      return failure();
    const SmallVector<Operation *> group = groupOf(op, [&](Value value) { return values.contains(value); });
    for (Operation *next : llvm::drop_begin(group))
      if (failed(checkForm(next)))
        return failure();
    absorbed.insert(group.begin() + 1, group.end());
    Operation *last = group.back();
    const Location loc = locationOf(group);
    const GroupOutput out = outputOf(last);
    SmallVector<Value> computed;
    for (Operation *member : group)
      for (OpOperand &operand : member->getOpOperands())
        if (!isInside(operand) && !llvm::is_contained(group, operand.get().getDefiningOp()))
          computed.push_back(operand.get());
    const SmallVector<Value> operands = valuesOf(computed);
    KernelBuilder kernel(*module, loc, symbolFor(loc), ValueRange(operands).getTypes(),
                         storageType(last->getResult(0).getType()));
    Value result = buildKernel(kernel, group, out);
    if (!result)
      return failure();
    values.map(last->getResult(0), callOf(loc, kernel.finish(result), operands).getResult(0));
    return success();
  }

  std::string symbolFor(Location loc) { return kernelSymbol(kernelCount++, nodeName(loc)); }

  ModuleOp graph;
  const SymbolTable symbols; ///< of the graph
  OwningOpRef<ModuleOp> module;
  OpBuilder builder;
  IRMapping values;
  llvm::SmallPtrSet<Operation *, 16> absorbed;
  unsigned kernelCount = 0;
};

} // namespace

std::string kernelSymbol(unsigned number, StringRef name) {
  std::string symbol = "k" + std::to_string(number) + "_";
  for (char c : name)
    if (llvm::isAlnum(c))
      symbol += c;
    else if (symbol.back() != '_')
      symbol += '_';
  return symbol;
}

LogicalResult convertGraphToLinalg(ModuleOp graph) {
  OwningOpRef<ModuleOp> converted = Converter(graph).run();
  if (!converted)
    return failure();
  for (Operation &op : llvm::make_early_inc_range(graph.getOps()))
    if (!isa<func::FuncOp>(op)) // what is said of the model
      op.moveBefore(converted->getBody(), converted->getBody()->end());
  graph.getBodyRegion().takeBody(converted->getBodyRegion());
  return success();
}

} // namespace daedalus
