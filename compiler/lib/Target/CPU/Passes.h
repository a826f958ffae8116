// The steps of the CPU backend.

#ifndef DAEDALUS_LIB_TARGET_CPU_PASSES_H
#define DAEDALUS_LIB_TARGET_CPU_PASSES_H

#include "MicroKernels/Features.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Target/CPU/Levels.h"
#include "daedalus/support/result.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <vector>

namespace daedalus::cpu {

/// Whether a function of a module at level `dae` is what cpu-lower-kernels makes; a diagnostic says what is
/// not.
mlir::LogicalResult checkLowered(mlir::func::FuncOp kernel);

/// qnn.requantize of sums whose limits are known to arith on doubles, which is exact for them: the
/// multipliers become constants of f64.
void requantizeInDoubles(mlir::func::FuncOp kernel);
/// Whether that is exact for an operation's.
bool requantizesInDoubles(mlir::linalg::GenericOp op, qnn::RequantizeOp requantize);

/// Makes the reductions of bytes, in sums of products with constant weights, multiples of DotWidth
/// (Contraction.h).
void padDepths(mlir::func::FuncOp kernel);

/// Maxima of windows as those of their columns, then those of rows of these, where that is less to read; in
/// tiles that have no padding but that of rows, of the tensor itself.
void separatePools(mlir::func::FuncOp kernel);
/// How many elements of its output separatePools needs in a tile; 1 of what it leaves.
int64_t elementsOfPooledRow(mlir::linalg::LinalgOp op);

/// Sums of products in their general form, whatever named operation they were, and what they begin with as
/// linalg.fill.
void generalizeContractions(mlir::func::FuncOp kernel);

/// Takes loops of one iteration out of products in groups, so that depthwise ones have no dimension behind
/// their channels. Whether there were any: then reshapes cancel each other.
bool dropUnitLoops(mlir::func::FuncOp kernel);

/// Lays constant weights of sums of products in panels (Contraction.h).
void blockContractions(mlir::func::FuncOp kernel, bool dots);

/// Tensors to buffers, linalg to loops but for sums of products, which become code for a processor
/// (MicroKernels.h).
mlir::LogicalResult bufferizeToLoops(mlir::func::FuncOp kernel);

/// What a kernel has of linalg on buffers to loops, but for what is kept.
mlir::LogicalResult lowerToLoops(mlir::func::FuncOp kernel,
                                 llvm::function_ref<bool(mlir::Operation *)> isKept);

/// `a * b + c` with two roundings, for processors without FMA: else a library's function would be called.
void expandFma(mlir::func::FuncOp kernel);

/// The larger and the smaller of floats in three instructions; LLVM has five, that -0 is less than 0. Here
/// either may come out of the two.
void expandExtremes(mlir::func::FuncOp kernel);
/// Larger and smaller ones of the elements of a vector, one element after the other.
void expandReductionsOfExtremes(mlir::func::FuncOp kernel);

/// The function returns an i32: 0 where all of its cf.asserts hold; in it 2 where one of "indices" does not,
/// 1 where another one does not.
void returnStatus(mlir::func::FuncOp kernel);

/// Makes every allocation a part of one further argument, a byte buffer, which kernels without any do not
/// have.
mlir::LogicalResult allocateScratch(mlir::func::FuncOp kernel);

/// Makes every constant of more than 64 bytes an argument in front of the result; returns their globals, in
/// the order of the arguments.
llvm::SmallVector<mlir::Attribute> takeConstants(mlir::func::FuncOp kernel);

/// Of kernels that are the same but for names and locations, erases all but the first; returns by the names
/// of the erased ones which they were the same as.
llvm::DenseMap<mlir::StringAttr, mlir::StringAttr> shareKernels(llvm::ArrayRef<mlir::func::FuncOp> kernels);

/// Puts most of very many loops into functions of their own, in front of the kernel.
void outlineLoops(mlir::func::FuncOp kernel);

/// Gives kernels in the LLVM dialect a public entry of their ABI, and the runtime's threads what cpu.run
/// says.
void addEntries(mlir::ModuleOp module);

/// What the processors of all levels have that lowered kernels rely on.
struct LowerOptions {
  bool doubles = true; ///< requantize in arithmetic on doubles
  bool dots = true;    ///< lay weights of bytes for instructions that add DotWidth products
  bool threads = true; ///< loops that threads share
};
LowerOptions lowerOptionsOf(const Features &features, bool isFirmware);

/// The pipeline cpu-lower-kernels: those of all steps of the CPU to loops on buffers.
void addLowerKernels(mlir::OpPassManager &passes, const LowerOptions &options = {});
/// Lowered kernels, a module of them, to the LLVM dialect at a level.
void addToLlvmDialect(mlir::OpPassManager &passes, const Level &level);

/// Kernels to the LLVM dialect with indices of 32 bits.
mlir::LogicalResult convertNarrow(mlir::ModuleOp module);

/// What code at a level may use.
Features featuresOf(const Level &level);

/// Kernels in the LLVM dialect as LLVM IR that is not optimized; null after a diagnostic.
std::unique_ptr<llvm::Module> translate(mlir::ModuleOp module, llvm::LLVMContext &context);

/// What code for a level is for.
std::string targetTriple(const Level &level);
/// The code generator for a level.
Result<std::unique_ptr<llvm::TargetMachine>> machineOf(const Level &level);

/// memcpy, memmove and memset, which the code generator may call.
std::unique_ptr<llvm::Module> memoryFunctions(llvm::LLVMContext &context);
/// O3.
void optimize(llvm::Module &module, llvm::TargetMachine &machine);
Result<std::vector<char>> emitObject(llvm::Module &module, llvm::TargetMachine &machine);
/// One relocatable object of several.
Result<std::vector<uint8_t>> linkRelocatable(llvm::ArrayRef<std::vector<char>> objects);
/// A shared object of relocatable objects; anything undefined is an error.
Result<std::vector<uint8_t>> linkShared(llvm::ArrayRef<std::vector<char>> objects);
/// The addresses of these symbols in a shared object.
Result<std::vector<uint64_t>> addressesOf(const std::vector<std::string> &symbols,
                                          llvm::ArrayRef<uint8_t> shared);

} // namespace daedalus::cpu

#endif
