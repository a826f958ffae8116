// See Transforms.h.

#include "Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace daedalus::cuda {

DeviceFunction::DeviceFunction(gpu::GPUModuleOp device, StringRef name, OpBuilder &builder, Location loc,
                               unsigned blocks, unsigned threads)
    : b(device.getContext()), host(builder), loc(loc), blocks(blocks), threads(threads) {
  b.setInsertionPointToEnd(device.getBody());
  if (!device.getBody()->empty() && device.getBody()->back().hasTrait<OpTrait::IsTerminator>())
    b.setInsertionPoint(&device.getBody()->back());
  function = b.create<gpu::GPUFuncOp>(loc, name, b.getFunctionType({}, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  function.setKnownBlockSizeAttr(b.getDenseI32ArrayAttr({int32_t(threads), 1, 1}));
  b.setInsertionPointToStart(&function.getBody().front());
  begin = b.create<arith::ConstantIndexOp>(loc, 0);
}

Value DeviceFunction::addArgument(Value buffer) {
  Value argument = function.getBody().front().addArgument(buffer.getType(), loc);
  captured.push_back(buffer);
  function.setFunctionType(
      b.getFunctionType(function.getBody().front().getArgumentTypes(), function.getResultTypes()));
  return argument;
}

Value DeviceFunction::operator()(Value value) {
  if (Value known = values.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || isa<memref::AllocOp, memref::GetGlobalOp>(op)) {
    Value argument = addArgument(value);
    values.map(value, argument);
    return argument;
  }
  take(op);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(begin);
  Operation *clone = b.clone(*op, values);
  return clone->getResult(cast<OpResult>(value).getResultNumber());
}

void DeviceFunction::take(Operation *op) {
  op->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (!op->isAncestor(operand.getParentBlock()->getParentOp()))
        (*this)(operand);
  });
}

void DeviceFunction::finish() {
  b.setInsertionPointToEnd(&function.getBody().front());
  b.create<gpu::ReturnOp>(loc);
  const auto size = [&](int64_t value) -> Value { return host.create<arith::ConstantIndexOp>(loc, value); };
  Value one = size(1);
  host.create<gpu::LaunchFuncOp>(loc, function, gpu::KernelDim3{size(blocks), one, one},
                                 gpu::KernelDim3{size(threads), one, one}, Value(), captured);
}

} // namespace daedalus::cuda
