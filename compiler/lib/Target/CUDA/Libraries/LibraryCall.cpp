// See LibraryCall.h.

#include "LibraryCall.h"

#include "LibraryConv.h"
#include "LibraryGemm.h"

#include "daedalus/Target/CUDA/ScheduleOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

/// Memory that a library can be given the address of, with elements of the same type; null of others.
Value wholeBufferOf(Value value) {
  Value buffer = bufferOf(value);
  Operation *op = buffer.getDefiningOp();
  const bool isMemory = !op || isa<memref::AllocOp, memref::GetGlobalOp>(op);
  return isMemory && getElementTypeOrSelf(buffer.getType()) == getElementTypeOrSelf(value.getType())
             ? buffer
             : Value();
}

std::optional<LibraryCall> gemmCallOf(const Product &product, const LibraryChoice &library) {
  const std::optional<Gemm> gemm = gemmOf(product);
  if (!gemm || !takes(library, *gemm))
    return std::nullopt;
  return LibraryCall{library.name + (product.isInt8() ? ".matmul_i8" : ".matmul"), *gemm, product.a.buffer(),
                     product.b.buffer(), product.op.getDpsInits()[0]};
}

std::optional<LibraryCall> convCallOf(const Product &product, const Group &group,
                                      const LibraryChoice &library) {
  const auto found = library.has("conv") ? convOf(product) : std::nullopt;
  if (!found)
    return std::nullopt;
  LibraryCall call{library.name + ".conv",      found->conv,  found->image, found->filters,
                   product.op.getDpsInits()[0], found->unused};
  if (found->conv.type == package::DType::F16) { // whose sums no call gives
    if (!beginsWithZero(group) || !group.epilogue || !isRounding(group.epilogue))
      return std::nullopt;
    call.out = group.epilogue.getDpsInits()[0];
    call.rounds = true;
  }
  return call;
}

} // namespace

void LibraryCall::create(OpBuilder &b, Location loc, bool accumulates) const {
  const UnitAttr isAdded = accumulates ? b.getUnitAttr() : UnitAttr();
  const StringAttr name = b.getStringAttr(function);
  if (const auto *gemm = std::get_if<Gemm>(&call))
    createGemm(b, loc, *gemm, name, {x, y, out}, isAdded);
  else
    createConv(b, loc, std::get<Conv>(call), name, {x, y, out}, isAdded);
}

void prepareForLibraries(const Group &group, ArrayRef<LibraryChoice> libraries) {
  if (!group.epilogue ||
      llvm::none_of(libraries, [](const LibraryChoice &library) { return library.has("conv"); }))
    return;
  const std::optional<Product> product = Product::of(group.root);
  if (product && product->a.type().isF16() && beginsWithZero(group) && convOf(*product))
    splitRounding(group.epilogue, group.root.getDpsInits()[0]);
}

std::optional<LibraryCall> libraryCallOf(const Group &group, ArrayRef<LibraryChoice> libraries) {
  const std::optional<Product> product = libraries.empty() ? std::nullopt : Product::of(group.root);
  if (!product)
    return std::nullopt;
  for (const LibraryChoice &library : libraries) {
    std::optional<LibraryCall> call = convCallOf(*product, group, library);
    if (!call)
      call = gemmCallOf(*product, library);
    if (!call)
      continue;
    for (Value *buffer : {&call->x, &call->y, &call->out})
      *buffer = wholeBufferOf(*buffer);
    if (call->x && call->y && call->out && call->x != call->out && call->y != call->out)
      return call;
  }
  return std::nullopt;
}

bool beginsWithZero(const Group &group) {
  return group.fill && (matchPattern(group.fill.getInputs()[0], m_Zero()) ||
                        matchPattern(group.fill.getInputs()[0], m_AnyZeroFloat()));
}

bool isLibraryCall(Operation *op) {
  return isa<GemmOp, ConvOp>(op);
}
std::string functionOf(Operation *call) {
  return call->getAttrOfType<StringAttr>("function").str();
}
Call callOf(Operation *call) {
  auto gemm = dyn_cast<GemmOp>(call);
  return gemm ? Call(gemmOf(gemm)) : Call(convOf(cast<ConvOp>(call)));
}

} // namespace daedalus::cuda
