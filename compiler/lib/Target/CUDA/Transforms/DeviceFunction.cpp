// See Transforms.h.

#include "Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
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
  function->setAttr(gpu::GPUFuncOp::getNumWorkgroupAttributionsAttrName(), b.getI64IntegerAttr(0));
  function.setKnownBlockSizeAttr(b.getDenseI32ArrayAttr({int32_t(threads), 1, 1}));
  b.setInsertionPointToStart(&function.getBody().front());
  begin = b.create<arith::ConstantIndexOp>(loc, 0);
}

Value DeviceFunction::addArgument(Value buffer) {
  SmallVector<Type> types(function.getArgumentTypes());
  Value argument = function.getBody().front().insertArgument(types.size(), buffer.getType(), loc);
  captured.push_back(buffer);
  types.push_back(buffer.getType());
  function.setFunctionType(b.getFunctionType(types, {}));
  return argument;
}

Value DeviceFunction::addShared(ArrayRef<int64_t> shape, Type element, int64_t alignment) {
  const auto space = gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  const unsigned number = function.getNumWorkgroupAttributions();
  Value memory = function.addWorkgroupAttribution(
      MemRefType::get(shape, element, MemRefLayoutAttrInterface(), space), loc);
  function.setWorkgroupAttributionAttr(number, LLVM::LLVMDialect::getAlignAttrName(),
                                       b.getI64IntegerAttr(alignment));
  return memory;
}

void DeviceFunction::keepRegisters() {
  function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), b.getI32IntegerAttr(1));
}

std::pair<Value, int64_t> DeviceFunction::addDynamicShared(int64_t bytes) {
  if (!dynamicShared) {
    const auto space = gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
    dynamicShared = b.create<gpu::DynamicSharedMemoryOp>(
        loc, MemRefType::get({ShapedType::kDynamic}, b.getI8Type(), MemRefLayoutAttrInterface(), space));
  }
  const int64_t first = dynamicBytes;
  dynamicBytes += bytes;
  return {dynamicShared, first};
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
  Value one = size(1), shared;
  if (dynamicBytes)
    shared = host.create<arith::ConstantOp>(loc, host.getI32IntegerAttr(static_cast<int32_t>(dynamicBytes)));
  host.create<gpu::LaunchFuncOp>(loc, function, gpu::KernelDim3{size(blocks), one, one},
                                 gpu::KernelDim3{size(threads), one, one}, shared, captured);
}

} // namespace daedalus::cuda
