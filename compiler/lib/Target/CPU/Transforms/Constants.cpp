// Constants as data: what is large reaches a kernel as a buffer, so kernels that differ in their weights
// alone are one function.

#include "Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

constexpr int64_t MostBytesInCode = 64; ///< of a constant

/// Whether packages have elements of this type.
bool isElement(Type type) {
  return type.isSignlessInteger(1) || (type.isIntOrFloat() && type.getIntOrFloatBitWidth() % 8 == 0);
}

bool isData(memref::GlobalOp global) {
  const MemRefType type = global.getType();
  return isElement(type.getElementType()) && type.getLayout().isIdentity() && global.getConstantInitValue() &&
         type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8) > MostBytesInCode;
}

/// Of its body, without names and places.
llvm::hash_code hashOf(func::FuncOp function) {
  llvm::hash_code hash = hash_value(function.getFunctionType());
  function.getBody().walk([&](Operation *op) {
    hash = llvm::hash_combine(hash, op->getName(), op->getNumOperands(), op->getRawDictionaryAttrs());
  });
  return hash;
}

bool areSame(func::FuncOp a, func::FuncOp b) {
  return a.getFunctionType() == b.getFunctionType() &&
         OperationEquivalence::isRegionEquivalentTo(&a.getBody(), &b.getBody(),
                                                    OperationEquivalence::IgnoreLocations);
}

} // namespace

SmallVector<Attribute> takeConstants(func::FuncOp kernel) {
  auto module = kernel->getParentOfType<ModuleOp>();
  llvm::MapVector<StringAttr, SmallVector<memref::GetGlobalOp>> uses;
  kernel.walk([&](memref::GetGlobalOp op) {
    if (isData(module.lookupSymbol<memref::GlobalOp>(op.getNameAttr().getAttr())))
      uses[op.getNameAttr().getAttr()].push_back(op);
  });
  SmallVector<Attribute> names;
  for (auto &[name, ops] : uses) {
    const unsigned at = kernel.getNumArguments() - 1; // in front of the result
    kernel.insertArgument(at, ops.front().getType(), {}, kernel.getLoc());
    for (memref::GetGlobalOp op : ops) {
      op.replaceAllUsesWith(kernel.getArgument(at));
      op.erase();
    }
    names.push_back(FlatSymbolRefAttr::get(name));
  }
  return names;
}

llvm::DenseMap<StringAttr, StringAttr> shareKernels(ArrayRef<func::FuncOp> kernels) {
  llvm::DenseMap<StringAttr, StringAttr> sames;
  llvm::DenseMap<llvm::hash_code, SmallVector<func::FuncOp, 1>> byHash;
  for (func::FuncOp kernel : kernels) {
    SmallVector<func::FuncOp, 1> &known = byHash[hashOf(kernel)];
    auto *same = llvm::find_if(known, [&](func::FuncOp other) { return areSame(kernel, other); });
    if (same == known.end()) {
      known.push_back(kernel);
      continue;
    }
    sames[kernel.getSymNameAttr()] = same->getSymNameAttr();
    kernel.erase();
  }
  return sames;
}

} // namespace daedalus::cpu
