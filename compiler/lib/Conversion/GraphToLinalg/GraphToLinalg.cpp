// Walks the graph in order; each operation with the tosa.cast and tosa.clamp that follow it becomes one
// kernel.

#include "daedalus/Conversion/GraphToLinalg/GraphToLinalg.h"

#include "Kernels.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using UniformType = quant::UniformQuantizedType;

namespace daedalus {
namespace {

std::string locationName(Location loc) {
  auto name = dyn_cast<NameLoc>(loc);
  return name ? name.getName().str() : std::string();
}

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
        .Case<quant::StorageCastOp>([&](auto cast) {
          values.map(cast.getResult(), values.lookup(cast.getOperand()));
          return success();
        })
        .Case<func::ReturnOp>([&](func::ReturnOp op) {
          SmallVector<Value> results;
          for (Value operand : op.getOperands())
            results.push_back(values.lookup(operand));
          builder.create<func::ReturnOp>(op.getLoc(), results);
          return success();
        })
        .Case<tosa::ReshapeOp>([&](auto op) { return convertReshape(op); })
        .Case<func::CallOp>([&](func::CallOp op) {
          return calleeOf(op).isExternal() ? convertExternal(op) : convertGeneral(op);
        })
        .Default([&](Operation *op) { return convertKernel(op); });
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
    declaration->setAttr(kernel::target, builder.getStringAttr(kernel::externalTarget));
    declaration->setAttr(kernel::reason,
                         builder.getStringAttr("calls the external function '" +
                                               callee->getAttrOfType<StringAttr>(kernel::external).str() +
                                               "'"));
    declaration->setAttr(kernel::node, builder.getStringAttr(locationName(op.getLoc())));
    declaration->setAttr(kernel::macs, builder.getI64IntegerAttr(0));
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(values.lookup(operand));
    auto call = builder.create<func::CallOp>(op.getLoc(), declaration, operands);
    values.map(op.getResults(), call.getResults());
    return success();
  }

  /// A kernel that the importer has built.
  LogicalResult convertGeneral(func::CallOp op) {
    auto kernel = cast<func::FuncOp>(calleeOf(op)->clone());
    kernel.setName(symbolFor(op.getLoc()));
    module->push_back(kernel);
    kernel->setAttr(kernel::target, builder.getStringAttr(""));
    kernel->setAttr(kernel::reason, builder.getStringAttr(""));
    kernel->setAttr(kernel::node, builder.getStringAttr(locationName(op.getLoc())));
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(values.lookup(operand));
    auto call = builder.create<func::CallOp>(op.getLoc(), kernel, operands);
    values.map(op.getResults(), call.getResults());
    return success();
  }

  /// The group's output: a cast (behind a pool) and a clamp that are the only users join it, unless the
  /// operation only moves elements.
  GroupOutput groupOutput(Operation *op, Operation *&last) {
    last = op;
    if (isa<tosa::TransposeOp, tosa::ConcatOp, tosa::ResizeOp>(op))
      return {};
    auto soleUser = [&]() -> Operation * {
      return last->getNumResults() == 1 && last->getResult(0).hasOneUse() ? *last->getResult(0).user_begin()
                                                                          : nullptr;
    };
    GroupOutput out;
    if (isa<qnn::MaxPoolOp>(op))
      if (auto cast = dyn_cast_or_null<tosa::CastOp>(soleUser()))
        last = cast;
    if (auto clamp = dyn_cast<tosa::ClampOp>(op)) {
      setRange(out, clamp);
    } else if (auto clamp = dyn_cast_or_null<tosa::ClampOp>(soleUser())) {
      setRange(out, clamp);
      last = clamp;
    }
    Type element = cast<RankedTensorType>(last->getResult(0).getType()).getElementType();
    out.type = dyn_cast<UniformType>(element);
    for (Operation *at = last; at != op; at = at->getOperand(0).getDefiningOp())
      absorbed.insert(at);
    return out;
  }

  static void setRange(GroupOutput &out, tosa::ClampOp clamp) {
    out.lo = static_cast<int64_t>(clamp.getMinInt());
    out.hi = static_cast<int64_t>(clamp.getMaxInt());
  }

  LogicalResult convertKernel(Operation *op) {
    Operation *last = nullptr;
    GroupOutput out = groupOutput(op, last);
    SmallVector<Value> operands, sources;
    for (Value operand : op->getOperands())
      if (!operand.getDefiningOp<tosa::ConstOp>()) {
        operands.push_back(values.lookup(operand));
        sources.push_back(operand);
      }
    KernelBuilder kernel(*module, last->getLoc(), symbolFor(last->getLoc()), ValueRange(operands).getTypes(),
                         storageType(last->getResult(0).getType()));
    int64_t macs = 0;
    Value result = buildBody(kernel, op, out, macs);
    if (!result)
      return failure();
    func::FuncOp function = kernel.finish(result);
    function->setAttr(kernel::target, builder.getStringAttr(""));
    function->setAttr(kernel::reason, builder.getStringAttr(""));
    function->setAttr(kernel::node, builder.getStringAttr(locationName(last->getLoc())));
    function->setAttr(kernel::macs, builder.getI64IntegerAttr(macs));
    if (StringRef why = cpuOnlyReason(op); !why.empty()) {
      function->setAttr(kernel::cpuOnly, builder.getStringAttr(why));
      if (!isBinary(op))
        function->setAttr(kernel::boundary, builder.getUnitAttr());
    }
    auto call = builder.create<func::CallOp>(last->getLoc(), function, operands);
    values.map(last->getResult(0), call.getResult(0));
    return success();
  }

  Value buildBody(KernelBuilder &kernel, Operation *op, const GroupOutput &out, int64_t &macs) {
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case<qnn::ConvOp>([&](auto op) { return buildConv(kernel, op, out, macs); })
        .Case<qnn::MatmulOp>([&](auto op) { return buildMatmul(kernel, op, out, macs); })
        .Case<qnn::MaxPoolOp>([&](auto op) { return buildMaxPool(kernel, op, out); })
        .Case<qnn::AveragePoolOp>([&](auto op) { return buildMean(kernel, op, out); })
        .Case<qnn::AddOp, qnn::SubOp>(
            [&](auto op) { return buildAdd(kernel, op, binaryOperands(kernel, op), out); })
        .Case<qnn::MulOp>([&](auto op) { return buildMul(kernel, op, binaryOperands(kernel, op), out); })
        .Case<tosa::TableOp>([&](auto op) { return buildTable(kernel, op); })
        .Case<tosa::ConcatOp>(
            [&](auto op) { return buildConcat(kernel, op->getNumOperands(), op.getAxis()); })
        .Case<tosa::ResizeOp>([&](auto op) {
          return buildRepeat(kernel, op.getScale()[0] / op.getScale()[1],
                             op.getScale()[2] / op.getScale()[3]);
        })
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

  static bool isBinary(Operation *op) { return isa<qnn::AddOp, qnn::SubOp, qnn::MulOp>(op); }

  /// The kernel's values for the operands of an addition and the like: arguments, and constants of its own.
  SmallVector<Value> binaryOperands(KernelBuilder &kernel, Operation *op) {
    SmallVector<Value> operands;
    unsigned argument = 0;
    for (Value operand : op->getOperands()) {
      if (auto constant = operand.getDefiningOp<tosa::ConstOp>()) {
        auto data = cast<DenseElementsAttr>(constant.getValue());
        operands.push_back(kernel.constant(shapeOf(operand), SmallVector<int8_t>(data.getValues<int8_t>())));
      } else {
        operands.push_back(kernel.argument(argument++));
      }
    }
    return operands;
  }

  static StringRef cpuOnlyReason(Operation *op) {
    if (isa<quant::QuantizeCastOp, quant::DequantizeCastOp>(op))
      return "converts between float32 and int8 at the boundary of the graph";
    if (isa<tosa::TransposeOp>(op))
      return "changes the layout between NCHW and NHWC";
    if (isBinary(op))
      for (Value operand : op->getOperands()) {
        if (operand.getDefiningOp<tosa::ConstOp>())
          return "computes with a constant";
        if (shapeOf(operand) != shapeOf(op->getResult(0)))
          return "broadcasts an operand";
      }
    return "";
  }

  std::string symbolFor(Location loc) { return kernelSymbol(kernels++, locationName(loc)); }

  ModuleOp graph;
  const SymbolTable symbols; ///< of the graph
  OwningOpRef<ModuleOp> module;
  OpBuilder builder;
  IRMapping values;
  llvm::SmallPtrSet<Operation *, 16> absorbed;
  unsigned kernels = 0;
};

} // namespace

/// Casts between quantized types and their storage, tensors of quantized or plain numbers as a whole, and calls of
/// what the importer has built.
static bool isOfGraph(Operation &op) {
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
    return callee && !callee->hasAttr(kernel::node) && (callee->hasAttr(kernel::cpuOnly) || callee->hasAttr(kernel::external));
  }
  if (isa<quant::QuantizationDialect, tosa::TosaDialect>(op.getDialect()))
    return !isa<tosa::ApplyScaleOp>(op);
  return isa<qnn::ConvOp, qnn::MatmulOp, qnn::AddOp, qnn::SubOp, qnn::MulOp, qnn::MaxPoolOp, qnn::AveragePoolOp>(op);
}

std::string kernelSymbol(unsigned number, StringRef name) {
  std::string symbol = "k" + std::to_string(number) + "_";
  for (char c : name)
    if (llvm::isAlnum(c))
      symbol += c;
    else if (symbol.back() != '_')
      symbol += '_';
  return symbol;
}

bool isGraph(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  return main && !main.isExternal() && llvm::any_of(main.getBody().front(), isOfGraph);
}

LogicalResult convertGraphToLinalg(ModuleOp graph) {
  OwningOpRef<ModuleOp> converted = Converter(graph).run();
  if (!converted)
    return failure();
  for (Operation &op : llvm::make_early_inc_range(graph.getOps()))
    if (!isa<func::FuncOp>(op)) // plans
      op.moveBefore(converted->getBody(), converted->getBody()->end());
  graph.getBodyRegion().takeBody(converted->getBodyRegion());
  return success();
}

} // namespace daedalus
