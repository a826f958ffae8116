// See Graph.h. Most operations of the quant and tosa dialects have no verifier, or one that leaves more open
// than the passes do.

#include "daedalus/Dialect/Qnn/Transforms/Graph.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Dialect/Qnn/Transforms/Constants.h"

#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/TypeSwitch.h"

namespace daedalus::qnn {
namespace {

using namespace mlir;

constexpr int64_t mostElements = int64_t(1) << 31;

bool isPlainElement(Type element) {
  return element.isSignlessInteger(8) || element.isSignlessInteger(16) || element.isSignlessInteger(32) ||
         element.isSignlessInteger(64) || element.isF16() || element.isBF16() || element.isF32() ||
         element.isF64();
}

/// Of 8, 16 or 32 bits, all of whose values are in use or all but one; the scales of a dimension are as many
/// as it has.
bool isQuantizedElement(Type element, ArrayRef<int64_t> shape) {
  auto type = dyn_cast<quant::QuantizedType>(element);
  if (!type || !type.getExpressedType().isF32() || !isa<UniformType, PerAxisType>(element))
    return false;
  const unsigned bits = type.getStorageTypeIntegralWidth();
  auto perAxis = dyn_cast<PerAxisType>(element);
  const bool hasScales =
      !perAxis ||
      (size_t(perAxis.getQuantizedDimension()) < shape.size() && perAxis.getQuantizedDimension() >= 0 &&
       perAxis.getScales().size() == size_t(shape[perAxis.getQuantizedDimension()]));
  return hasScales && (bits == 8 || bits == 16 || bits == 32);
}

class Checker {
public:
  LogicalResult check(func::FuncOp main) {
    for (BlockArgument argument : main.getArguments())
      if (failed(checkType(main, argument.getType())))
        return failure();
    for (Operation &op : main.getBody().front()) {
      for (Type type : op.getResultTypes())
        if (failed(checkType(&op, type)))
          return failure();
      if (failed(checkOperation(&op)))
        return failure();
    }
    return success();
  }

private:
  static LogicalResult checkType(Operation *at, Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape() || tensor.getEncoding() ||
        !(isPlainElement(tensor.getElementType()) ||
          isQuantizedElement(tensor.getElementType(), tensor.getShape())))
      return at->emitError("has a value of type ") << type
                                                   << "; expected tensors of a static shape, of i8, i16, "
                                                      "i32, i64, f16, bf16, f32, f64 or quantized elements";
    int64_t elements = 1;
    for (int64_t size : tensor.getShape()) {
      if (size && elements > mostElements / size)
        return at->emitError("has a tensor of type ") << type << "; expected at most 2^31 elements";
      elements *= size;
    }
    return success();
  }

  static LogicalResult expect(Operation *op, bool holds, const char *what) {
    if (holds)
      return success();
    auto diagnostic = op->emitError("'") << op->getName() << "' has operands of type ";
    llvm::interleaveComma(op->getOperandTypes(), diagnostic);
    return diagnostic << " and a result of type " << op->getResult(0).getType() << "; expected " << what;
  }

  LogicalResult checkOperation(Operation *op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<tosa::ConstOp>([&](auto op) { return checkConstant(op); })
        .Case<quant::QuantizeCastOp>([&](auto op) {
          return expect(op,
                        elementOf(op.getArg()).isF32() && isa<quant::QuantizedType>(elementOf(op)) &&
                            isOfOneShape(op),
                        "f32, and a quantized type of the same shape");
        })
        .Case<quant::DequantizeCastOp>([&](auto op) {
          return expect(op,
                        elementOf(op).isF32() && isa<quant::QuantizedType>(elementOf(op.getArg())) &&
                            isOfOneShape(op),
                        "a quantized type, and f32 of the same shape");
        })
        .Case<quant::StorageCastOp>([&](auto op) { return checkStorageCast(op); })
        .Case<tosa::ReshapeOp>([&](auto op) {
          return expect(op,
                        elementOf(op) == elementOf(op.getInput1()) &&
                            tensorType(op).getNumElements() == tensorType(op.getInput1()).getNumElements() &&
                            tensorType(op).getNumElements() > 0,
                        "as many of the same elements");
        })
        .Case<tosa::ClampOp>([&](auto op) { return checkClamp(op); })
        .Case<tosa::CastOp>([&](auto op) {
          return expect(op, isByte(elementOf(op)) && isByte(elementOf(op.getInput())) && isOfOneShape(op),
                        "quantized types of 8 bits with one scale, and one shape");
        })
        .Case<tosa::TableOp>([&](auto op) { return checkTable(op); })
        .Case<tosa::TransposeOp>([&](auto op) { return checkTranspose(op); })
        .Case<tosa::SliceOp>([&](auto op) { return checkSlice(op); })
        .Case<func::CallOp>([&](auto op) { return checkCall(op); })
        .Case<func::ReturnOp>([&](auto op) { return checkReturn(op); })
        .Default([&](Operation *op) {
          return isa<QnnDialect>(op->getDialect()) && isOfGraph(op)
                     ? success()
                     : LogicalResult(op->emitError("'") << op->getName()
                                                        << "' is among operations of level graph; expected "
                                                           "operations on whole tensors, and calls");
        });
  }

  static bool isOfOneShape(Operation *op) { return shapeOf(op->getOperand(0)) == shapeOf(op->getResult(0)); }

  static LogicalResult checkConstant(tosa::ConstOp op) {
    auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!elements)
      return op.emitError("has no dense elements; expected the constant in full");
    const Type type = elementOf(op);
    auto quantized = dyn_cast<quant::QuantizedType>(type);
    const bool fits =
        quantized ? elements.getElementType().isSignlessInteger(quantized.getStorageTypeIntegralWidth())
                  : elements.getElementType() == type;
    if (!fits || elements.getType().getShape() != shapeOf(op))
      return op.emitError("has elements of type ") << elements.getType() << " for " << op.getType();
    return success();
  }

  static LogicalResult checkStorageCast(quant::StorageCastOp op) {
    const Type from = elementOf(op.getArg()), to = elementOf(op);
    const auto isStorage = [](Type plain, Type type) {
      auto quantized = dyn_cast<quant::QuantizedType>(type);
      return quantized && plain.isSignlessInteger(quantized.getStorageTypeIntegralWidth());
    };
    return expect(op, (isStorage(from, to) || isStorage(to, from)) && isOfOneShape(op),
                  "a quantized type and the integers of its width, and one shape");
  }

  static LogicalResult checkClamp(tosa::ClampOp op) {
    if (failed(expect(
            op, op.getType() == op.getInput().getType() && (elementOf(op).isF32() || isByte(elementOf(op))),
            "f32, or a quantized type of 8 bits with one scale, on both sides")))
      return failure();
    const bool isEmpty = elementOf(op).isF32()
                             ? !(op.getMinFp() <= op.getMaxFp())
                             : static_cast<int64_t>(op.getMinInt()) > static_cast<int64_t>(op.getMaxInt());
    return isEmpty ? LogicalResult(op.emitError("has a minimum above its maximum")) : success();
  }

  static LogicalResult checkTable(tosa::TableOp op) {
    DenseElementsAttr table = constantOf(op->getOperand(1));
    return expect(op,
                  isByte(elementOf(op)) && isByte(elementOf(op.getInput())) && isOfOneShape(op) && table &&
                      table.getNumElements() == tableEntries && table.getElementType().isSignlessInteger(8),
                  "quantized types of 8 bits with one scale, and a constant of 256 entries");
  }

  static LogicalResult checkTranspose(tosa::TransposeOp op) {
    SmallVector<int64_t> order;
    const ArrayRef<int64_t> from = shapeOf(op.getInput1()), to = shapeOf(op);
    bool good = succeeded(op.getConstantPerms(order)) && order.size() == from.size() &&
                to.size() == from.size() && elementOf(op) == elementOf(op.getInput1());
    SmallVector<bool> seen(from.size(), false);
    for (size_t d = 0; good && d < order.size(); ++d) {
      good = order[d] >= 0 && size_t(order[d]) < from.size() && !seen[order[d]] && to[d] == from[order[d]];
      if (good)
        seen[order[d]] = true;
    }
    return expect(op, good && !isa<PerAxisType>(elementOf(op)), "a constant permutation of the dimensions");
  }

  static LogicalResult checkSlice(tosa::SliceOp op) {
    const ArrayRef<int64_t> from = shapeOf(op.getInput()), start = op.getStart(), size = op.getSize();
    bool good =
        start.size() == from.size() && size == shapeOf(op) && elementOf(op) == elementOf(op.getInput());
    for (size_t d = 0; good && d < from.size(); ++d)
      good = start[d] >= 0 && size[d] > 0 && start[d] <= from[d] - size[d];
    return expect(op, good && !isa<PerAxisType>(elementOf(op)),
                  "a part of the operand, of the same elements");
  }

  static LogicalResult checkCall(func::CallOp op) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, op.getCalleeAttr());
    if (!callee || callee.getName() == "main")
      return op.emitError("calls '") << op.getCallee() << "', which is not a function beside @main";
    const bool isKernel =
        !callee.isExternal() && callee.getBody().hasOneBlock() && callee.getNumResults() == 1;
    if (!isKernel && !externalName(callee))
      return op.emitError("calls '") << op.getCallee()
                                     << "'; expected a function of one block and one result, or an "
                                        "external one that qnn.external names";
    for (Type type : llvm::concat<const Type>(callee.getArgumentTypes(), callee.getResultTypes()))
      if (auto tensor = dyn_cast<RankedTensorType>(type); !tensor || !isPlainElement(tensor.getElementType()))
        return op.emitError("calls '") << op.getCallee() << "' with a value of type " << type
                                       << "; expected tensors of plain numbers";
    return success();
  }

  static LogicalResult checkReturn(func::ReturnOp op) {
    for (Type type : op.getOperandTypes())
      if (!isPlainElement(cast<RankedTensorType>(type).getElementType()))
        return op.emitError("returns a value of type ") << type << "; expected plain numbers";
    return success();
  }
};

} // namespace

std::optional<StringRef> externalName(func::FuncOp function) {
  if (function.isExternal())
    for (auto external : function->getParentOfType<ModuleOp>().getOps<ExternalOp>())
      if (external.getFunction() == function.getName())
        return external.getName();
  return std::nullopt;
}

bool isOfGraph(Operation *op) {
  if (isa<quant::QuantizationDialect, tosa::TosaDialect>(op->getDialect()))
    return !isa<tosa::ApplyScaleOp>(op);
  return isa<QnnDialect>(op->getDialect()) && !isa<RequantizeOp, LookupOp, ExternalOp>(op);
}

bool isGraph(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  return main && !main.isExternal() &&
         llvm::any_of(main.getBody().front(), [](Operation &op) { return isOfGraph(&op); });
}

FailureOr<func::FuncOp> graphOf(ModuleOp module) {
  if (!isGraph(module))
    return func::FuncOp();
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main.getBody().hasOneBlock())
    return main.emitError("has several blocks; expected one");
  if (failed(Checker().check(main)))
    return failure();
  return main;
}

} // namespace daedalus::qnn
