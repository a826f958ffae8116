// Loops to the LLVM dialect, and the entries of the kernels' ABI.

#include "Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

/// `i32 symbol(ptr args, ptr context)` (package/kernel_abi.h): loads the pointers and calls the body, which
/// keeps the kernel's name with a suffix.
void addEntry(LLVM::LLVMFuncOp body) {
  OpBuilder builder(body);
  Location loc = body.getLoc();
  std::string symbol = body.getName().str();
  body.setName(symbol + ".body");
  body.setLinkage(LLVM::Linkage::Internal);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto type = LLVM::LLVMFunctionType::get(builder.getI32Type(), {pointer, pointer});
  auto entry = builder.create<LLVM::LLVMFuncOp>(loc, symbol, type);
  builder.setInsertionPointToEnd(entry.addEntryBlock(builder));
  SmallVector<Value> arguments;
  for (unsigned i = 0; i < body.getNumArguments(); ++i) {
    Value at = builder.create<LLVM::GEPOp>(loc, pointer, pointer, entry.getArgument(0),
                                           ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    arguments.push_back(builder.create<LLVM::LoadOp>(loc, pointer, at));
    body.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
  }
  auto call = builder.create<LLVM::CallOp>(loc, body, arguments);
  builder.create<LLVM::ReturnOp>(loc, call.getResult());
}

} // namespace

LogicalResult lowerToLlvmDialect(ModuleOp module) {
  moveHalvesAsIntegers(module);
  PassManager passes(module.getContext());
  passes.addPass(memref::createExpandStridedMetadataPass());
  passes.addPass(createLowerAffinePass());
  passes.addPass(createConvertSCFToCFPass());
  passes.addPass(createConvertVectorToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createFinalizeMemRefToLLVMConversionPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  ConvertFuncToLLVMPassOptions options;
  options.useBarePtrCallConv = true;
  passes.addPass(createConvertFuncToLLVMPass(options));
  passes.addPass(createReconcileUnrealizedCastsPass());
  if (failed(passes.run(module)))
    return failure();
  for (auto body : llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>())) {
    if (SymbolTable::getSymbolVisibility(body) == SymbolTable::Visibility::Private)
      body.setLinkage(LLVM::Linkage::Internal);
    else
      addEntry(body);
  }
  return success();
}

} // namespace daedalus::cpu
