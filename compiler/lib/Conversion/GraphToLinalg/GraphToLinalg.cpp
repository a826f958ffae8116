// Walks the graph in order; each operation with the tosa.cast and tosa.clamp that follow it becomes one
// kernel.

#include "daedalus/Conversion/GraphToLinalg/GraphToLinalg.h"

#include "Kernels.h"

#include "daedalus/Analysis/Locations.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Dialect/Qnn/Transforms/Constants.h"
#include "daedalus/Dialect/Qnn/Transforms/Graph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using UniformType = quant::UniformQuantizedType;

namespace daedalus {
namespace {

RankedTensorType storageType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  if (auto quantized = dyn_cast<quant::QuantizedType>(tensor.getElementType()))
    return tensor.clone(quantized.getStorageType());
  return tensor;
}

UniformType uniformType(Value value) {
  return cast<UniformType>(cast<RankedTensorType>(value.getType()).getElementType());
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
      if (const DenseElementsAttr constant = values.contains(value) ? nullptr : constantOf(value))
        values.map(value, constantKernel(value.getLoc(), constant));
      result.push_back(values.lookup(value));
    }
    return result;
  }

  /// Whether constantOf() has elements.
  static bool isConstant(Value value) {
    return value.getDefiningOp<tosa::ConstOp>() || qnn::isRealConstant(value);
  }

  /// The elements of a constant in their storage, of a dequantized one the real numbers; null where it is
  /// none.
  static DenseElementsAttr constantOf(Value value) {
    if (auto constant = value.getDefiningOp<tosa::ConstOp>())
      return dyn_cast<DenseElementsAttr>(constant.getValue());
    const std::optional<std::vector<float>> numbers = qnn::realNumbers(value);
    if (!numbers)
      return nullptr;
    return DenseElementsAttr::get(cast<RankedTensorType>(value.getType()), ArrayRef<float>(*numbers));
  }

  Value constantKernel(Location loc, DenseElementsAttr constant) {
    const Type type = constant.getType();
    KernelBuilder kernel(*module, loc, symbolFor(loc), {}, type);
    Value elements = kernel.builder.create<arith::ConstantOp>(loc, constant);
    const AffineMap identity = kernel.builder.getMultiDimIdentityMap(constant.getType().getRank());
    Value empty = kernel.empty(constant.getType().getShape(), constant.getElementType());
    func::FuncOp function = kernel.finish(kernel.elementwise(
        elements, identity, empty, [](OpBuilder &, ValueRange arguments) { return arguments[0]; }));
    return builder.create<func::CallOp>(loc, function, ValueRange()).getResult(0);
  }

  /// A view: one expand or collapse where the shapes nest, else a collapse to one dimension and an expand.
  LogicalResult convertReshape(tosa::ReshapeOp op) {
    Value x = values.lookup(op.getInput1());
    auto from = cast<RankedTensorType>(x.getType()), to = storageType(op.getType());
    if (auto reassociation = getReassociationIndicesForReshape(from, to)) {
      values.map(op.getResult(), view(op.getLoc(), x, to, *reassociation));
      return success();
    }
    auto all = [](RankedTensorType type) {
      return SmallVector<ReassociationIndices>{
          ReassociationIndices(llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank())))};
    };
    auto flat = from.clone({from.getNumElements()});
    Value middle = from.getRank() == 1 ? x : view(op.getLoc(), x, flat, all(from));
    values.map(op.getResult(), to.getRank() == 1 ? middle : view(op.getLoc(), middle, to, all(to)));
    return success();
  }

  Value view(Location loc, Value x, RankedTensorType to, ArrayRef<ReassociationIndices> reassociation) {
    auto from = cast<RankedTensorType>(x.getType());
    if (from == to)
      return x;
    if (from.getRank() < to.getRank())
      return builder.create<tensor::ExpandShapeOp>(loc, to, x, reassociation);
    return builder.create<tensor::CollapseShapeOp>(loc, to, x, reassociation);
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
    const SmallVector<Value> operands = valuesOf(op.getOperands());
    auto call = builder.create<func::CallOp>(op.getLoc(), kernel, operands);
    values.map(op.getResults(), call.getResults());
    return success();
  }

  /// The operations of a kernel: one, and on quantized tensors a cast (behind a pool) and a clamp that are
  /// the only users join it, unless the operation only moves elements.
  SmallVector<Operation *> groupOf(Operation *op) {
    SmallVector<Operation *> group{op};
    const bool isQuantized = isa<UniformType>(getElementTypeOrSelf(op->getResult(0).getType()));
    if (!isQuantized || isa<tosa::TransposeOp, qnn::ConcatOp, qnn::UpsampleOp>(op))
      return group;
    auto soleUser = [&]() -> Operation * {
      Operation *last = group.back();
      return last->hasOneUse() ? *last->getResult(0).user_begin() : nullptr;
    };
    if (isa<qnn::MaxPoolOp>(op))
      if (auto cast = dyn_cast_or_null<tosa::CastOp>(soleUser()))
        group.push_back(cast);
    if (!isa<tosa::ClampOp>(op))
      if (auto clamp = dyn_cast_or_null<tosa::ClampOp>(soleUser()))
        group.push_back(clamp);
    absorbed.insert(group.begin() + 1, group.end());
    return group;
  }

  static GroupOutput outputOf(Operation *last) {
    GroupOutput out;
    out.type = dyn_cast<UniformType>(getElementTypeOrSelf(last->getResult(0).getType()));
    if (auto clamp = dyn_cast<tosa::ClampOp>(last); clamp && out.type) {
      out.lo = static_cast<int64_t>(clamp.getMinInt());
      out.hi = static_cast<int64_t>(clamp.getMaxInt());
    }
    return out;
  }

  static Location locationOf(ArrayRef<Operation *> group) {
    SmallVector<Location> parts;
    for (Operation *op : group)
      parts.push_back(op->getLoc());
    return FusedLoc::get(group[0]->getContext(), parts);
  }

  /// Whether an operation that its verifier took has the form that its kernel is built of.
  static LogicalResult checkForm(Operation *op) {
    const auto expect = [&](bool holds, const char *what) {
      return holds
                 ? success()
                 : LogicalResult(op->emitError("'") << op->getName() << "' has no kernel: expected " << what);
    };
    SmallVector<Value> values(op->getOperands());
    values.append(op->result_begin(), op->result_end());
    if (llvm::any_of(values, isUnsigned))
      return expect(false, "signed storage, as qnn-signed-storage makes it");
    if (isFloat(op))
      return expect(
          llvm::all_of(op->getOperandTypes(), [](Type type) { return getElementTypeOrSelf(type).isF32(); }),
          "operands of f32");
    if (auto conv = dyn_cast<qnn::ConvOp>(op))
      return expect(
          conv.getChannelsLast() && areConstants(conv.getWeights(), conv.getBias()),
          "channels last, as qnn-channels-last makes them, constant weights and a constant bias a channel");
    if (auto matmul = dyn_cast<qnn::MatmulOp>(op))
      return expect(matmul.getTransposed() && shapeOf(matmul.getInput()).size() == 2 &&
                        areConstants(matmul.getWeights(), matmul.getBias()),
                    "an input of two dimensions, transposed constant weights and a constant bias a column");
    if (auto pool = dyn_cast<qnn::MaxPoolOp>(op))
      return expect(pool.getChannelsLast(), "channels last, as qnn-channels-last makes them");
    if (auto pool = dyn_cast<qnn::AveragePoolOp>(op))
      return expect(pool.getChannelsLast(), "channels last, as qnn-channels-last makes them");
    if (isBinary(op))
      return expect(llvm::all_of(op->getOperands(),
                                 [&](Value operand) {
                                   return shapeOf(operand).size() == shapeOf(op->getResult(0)).size();
                                 }),
                    "operands of the result's rank, as qnn-channels-last makes them");
    if (isa<quant::QuantizeCastOp>(op))
      return expect(isByte(op->getResult(0)), "a type of 8 bits with one scale");
    if (isa<quant::DequantizeCastOp>(op))
      return expect(isByte(op->getOperand(0)), "a type of 8 bits with one scale");
    return success();
  }

  /// Whether an operand is a constant that the kernel has inside: weights, tables, and all that is not the
  /// one tensor that an operation is of.
  static bool isInside(OpOperand &operand) {
    Operation *op = operand.getOwner();
    const bool isOfOne = !isFloat(op) && !isBinary(op) && !isa<qnn::ConcatOp>(op);
    return (operand.getOperandNumber() != 0 || !isOfOne) && isConstant(operand.get());
  }

  static bool areConstants(Value weights, Value bias) {
    return weights.getDefiningOp<tosa::ConstOp>() && bias && bias.getDefiningOp<tosa::ConstOp>() &&
           cast<RankedTensorType>(bias.getType()).getNumElements() == shapeOf(weights)[0];
  }
  static bool isUnsigned(Value value) {
    auto type = dyn_cast<quant::QuantizedType>(getElementTypeOrSelf(value.getType()));
    return type && !type.isSigned();
  }
  static bool isByte(Value value) { return qnn::isByte(getElementTypeOrSelf(value.getType())); }

  LogicalResult convertKernel(Operation *op) {
    if (failed(checkForm(op)))
      return failure();
    const SmallVector<Operation *> group = groupOf(op);
    Operation *last = group.back();
    const Location loc = locationOf(group);
    const GroupOutput out = outputOf(last);
    SmallVector<Value> computed;
    for (OpOperand &operand : op->getOpOperands())
      if (!isInside(operand))
        computed.push_back(operand.get());
    const SmallVector<Value> operands = valuesOf(computed);
    KernelBuilder kernel(*module, loc, symbolFor(loc), ValueRange(operands).getTypes(),
                         storageType(last->getResult(0).getType()));
    Value result = buildBody(kernel, op, out);
    if (!result)
      return failure();
    func::FuncOp function = kernel.finish(result);
    auto call = builder.create<func::CallOp>(loc, function, operands);
    values.map(last->getResult(0), call.getResult(0));
    return success();
  }

  Value buildBody(KernelBuilder &kernel, Operation *op, const GroupOutput &out) {
    if (isFloat(op))
      return buildFloat(kernel, op, operandsOf(kernel, op));
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case<qnn::ConvOp>([&](auto op) { return buildConv(kernel, op, out); })
        .Case<qnn::MatmulOp>([&](auto op) { return buildMatmul(kernel, op, out); })
        .Case<qnn::MaxPoolOp>([&](auto op) { return buildMaxPool(kernel, op, out); })
        .Case<qnn::AveragePoolOp>([&](auto op) { return buildMean(kernel, op, out); })
        .Case<qnn::AddOp, qnn::SubOp>(
            [&](auto op) { return buildAdd(kernel, op, operandsOf(kernel, op), out); })
        .Case<qnn::MulOp>([&](auto op) { return buildMul(kernel, op, operandsOf(kernel, op), out); })
        .Case<qnn::UpsampleOp>([&](auto op) { return buildRepeat(kernel, op); })
        .Case<tosa::TableOp>([&](auto op) { return buildTable(kernel, op); })
        .Case<qnn::ConcatOp>(
            [&](auto op) { return buildConcat(kernel, operandsOf(kernel, op), op.getAxis()); })
        .Case<tosa::CastOp, tosa::ClampOp>(
            [&](auto op) { return buildRescale(kernel, uniformType(op->getOperand(0)), out); })
        .Case<tosa::TransposeOp>([&](tosa::TransposeOp op) {
          SmallVector<int64_t> permutation;
          (void)op.getConstantPerms(permutation);
          return buildTranspose(kernel, permutation);
        })
        .Case<quant::QuantizeCastOp>([&](auto) { return buildQuantize(kernel, out); })
        .Case<quant::DequantizeCastOp>(
            [&](auto op) { return buildDequantize(kernel, uniformType(op.getArg())); })
        .Default([&](Operation *op) -> Value {
          op->emitError() << "operation '" << op->getName().getStringRef() << "' has no kernel";
          return nullptr;
        });
  }

  /// Whether an operation of tensors computes on real numbers.
  static bool isFloat(Operation *op) {
    return getElementTypeOrSelf(op->getResult(0).getType()).isF32() && !isa<quant::DequantizeCastOp>(op);
  }

  static bool isBinary(Operation *op) { return isa<qnn::AddOp, qnn::SubOp, qnn::MulOp>(op); }

  /// The kernel's values for the operands of an operation: arguments, and constants of its own.
  SmallVector<Value> operandsOf(KernelBuilder &kernel, Operation *op) {
    SmallVector<Value> operands;
    unsigned argument = 0;
    for (Value operand : op->getOperands())
      if (const DenseElementsAttr constant = constantOf(operand))
        operands.push_back(kernel.builder.create<arith::ConstantOp>(kernel.loc, constant));
      else
        operands.push_back(kernel.argument(argument++));
    return operands;
  }

  std::string symbolFor(Location loc) { return kernelSymbol(kernels++, nodeName(loc)); }

  ModuleOp graph;
  const SymbolTable symbols; ///< of the graph
  OwningOpRef<ModuleOp> module;
  OpBuilder builder;
  IRMapping values;
  llvm::SmallPtrSet<Operation *, 16> absorbed;
  unsigned kernels = 0;
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
