// qnn-signed-storage: uint8 is stored as int8, less 128. The bytes of plain tensors change where they become
// quantized or come out of it.

#include "Functions.h"
#include "Patterns.h"
#include "daedalus/Dialect/Qnn/Transforms/Constants.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Dialect/Qnn/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
namespace daedalus::qnn {
#define GEN_PASS_DEF_QNNSIGNEDSTORAGE
#include "daedalus/Dialect/Qnn/Transforms/Passes.h.inc"

namespace {

using namespace mlir;

/// The type for int8 that stands for the same numbers; null where the type is none of uint8.
Type signedOf(Type element) {
  auto type = dyn_cast<quant::QuantizedType>(element);
  if (!type || type.isSigned() || type.getStorageTypeIntegralWidth() != 8)
    return nullptr;
  const int64_t lo = type.getStorageTypeMin() - 128, hi = type.getStorageTypeMax() - 128;
  const unsigned flags = quant::QuantizationFlags::Signed;
  if (auto uniform = dyn_cast<UniformType>(element))
    return UniformType::get(flags, type.getStorageType(), type.getExpressedType(), uniform.getScale(),
                            uniform.getZeroPoint() - 128, lo, hi);
  auto perAxis = dyn_cast<PerAxisType>(element);
  if (!perAxis)
    return nullptr;
  SmallVector<int64_t> zeroPoints;
  for (int64_t zeroPoint : perAxis.getZeroPoints())
    zeroPoints.push_back(zeroPoint - 128);
  return PerAxisType::get(flags, type.getStorageType(), type.getExpressedType(), perAxis.getScales(),
                          zeroPoints, perAxis.getQuantizedDimension(), lo, hi);
}

class Signer {
public:
  explicit Signer(ModuleOp module) : module(module) {}

  unsigned run(func::FuncOp main) {
    for (Operation &op : llvm::make_early_inc_range(main.getBody().front())) {
      if (auto cast = dyn_cast<quant::StorageCastOp>(op))
        changeBytes(cast);
      for (OpResult result : op.getResults())
        retype(result);
    }
    return count;
  }

private:
  void retype(OpResult result) {
    auto tensor = dyn_cast<RankedTensorType>(result.getType());
    const Type made = tensor ? signedOf(tensor.getElementType()) : nullptr;
    if (!made)
      return;
    if (auto constant = dyn_cast<tosa::ConstOp>(result.getOwner())) {
      auto elements = cast<DenseElementsAttr>(constant.getValue());
      std::vector<char> bytes(elements.getRawData().begin(), elements.getRawData().end());
      for (char &byte : bytes)
        byte = static_cast<char>(byte ^ 0x80);
      constant.setValueAttr(DenseElementsAttr::getFromRawBuffer(elements.getType(), bytes));
    }
    result.setType(tensor.clone(made));
    changedTypes.insert(result);
    ++count;
  }

  /// Its operand has its new type already, its result has not.
  void changeBytes(quant::StorageCastOp cast) {
    OpBuilder builder(cast);
    if (signedOf(tensorType(cast).getElementType())) {
      if (auto known = original.find(cast.getArg()); known != original.end())
        cast.setOperand(known->second);
      else
        cast.setOperand(changed(builder, cast.getLoc(), cast.getArg()));
      return;
    }
    if (!changedTypes.contains(cast.getArg()))
      return;
    builder.setInsertionPointAfter(cast);
    Value bytes = changed(builder, cast.getLoc(), cast);
    cast.getResult().replaceAllUsesExcept(bytes, bytes.getDefiningOp());
    original[bytes] = cast.getResult();
  }

  Value changed(OpBuilder &builder, Location loc, Value bytes) {
    auto type = tensorType(bytes);
    OpBuilder atEnd = OpBuilder::atBlockEnd(module.getBody());
    auto function = atEnd.create<func::FuncOp>(loc, symbol(), atEnd.getFunctionType(type, type));
    function.setPrivate();
    OpBuilder inside = OpBuilder::atBlockEnd(function.addEntryBlock());
    Value bit = inside.create<arith::ConstantOp>(loc, inside.getI8IntegerAttr(-128));
    Value empty = inside.create<tensor::EmptyOp>(loc, type.getShape(), inside.getI8Type());
    const AffineMap identity = inside.getMultiDimIdentityMap(type.getRank());
    const SmallVector<utils::IteratorType> parallel(type.getRank(), utils::IteratorType::parallel);
    auto generic = inside.create<linalg::GenericOp>(
        loc, TypeRange{type}, ValueRange{function.getArgument(0)}, ValueRange{empty},
        ArrayRef<AffineMap>{identity, identity}, parallel,
        [&](OpBuilder &b, Location at, ValueRange arguments) {
          b.create<linalg::YieldOp>(at, b.create<arith::XOrIOp>(at, arguments[0], bit).getResult());
        });
    inside.create<func::ReturnOp>(loc, generic.getResults());
    return builder.create<func::CallOp>(loc, function, bytes).getResult(0);
  }

  std::string symbol() {
    std::string name;
    do
      name = "bytes_" + std::to_string(functions++);
    while (module.lookupSymbol(name));
    return name;
  }

  ModuleOp module;
  DenseSet<Value> changedTypes;
  DenseMap<Value, Value> original; ///< of changed bytes: what was changed
  unsigned functions = 0, count = 0;
};

struct SignedStorage : GraphPass<impl::QnnSignedStorageBase<SignedStorage>> {
  LogicalResult runOnGraph(func::FuncOp main) override {
    counts["tensors"] += Signer(getOperation()).run(main);
    eraseDead(main);
    return success();
  }
};

} // namespace
} // namespace daedalus::qnn
