// cpu-share-kernels.

#include "Passes.h"

#include "daedalus/Dialect/Counting.h"
#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Target/CPU/Passes.h"
#include "daedalus/Target/CPU/ScheduleOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace daedalus::cpu {
#define GEN_PASS_DEF_CPUSHAREKERNELS
#include "daedalus/Target/CPU/Passes.h.inc"

namespace {

/// Takes what cpu-take-kernels and the passes behind it made back into the model's module.
class Return {
public:
  Return(ModuleOp own, ModuleOp module) : own(own), module(module) {}

  /// How many kernels are left.
  uint64_t run() {
    for (auto kernel : own.getOps<func::FuncOp>())
      for (ConstantsOp given : llvm::make_early_inc_range(kernel.getOps<ConstantsOp>())) {
        constants[kernel.getSymNameAttr()] = given.getGlobalsAttr();
        given.erase();
      }
    const uint64_t left = share();
    eraseDeclarations();
    takeSymbols();
    callShared();
    own.erase();
    return left;
  }

private:
  /// Kernels that are the same, and for which the same blocks are given, are one function.
  uint64_t share() {
    llvm::DenseMap<StringAttr, Attribute> blocks;
    for (ScheduleOp schedule : own.getOps<ScheduleOp>())
      for (KernelOp entry : schedule.getBody().getOps<KernelOp>())
        for (auto name : entry.getFunctions()->getAsRange<FlatSymbolRefAttr>())
          blocks[name.getAttr()] = entry.getBlocksAttr();
    llvm::MapVector<Attribute, SmallVector<func::FuncOp>> alike;
    for (auto kernel : own.getOps<func::FuncOp>())
      if (kernel.isPublic()) {
        names.push_back(kernel.getSymNameAttr());
        alike[blocks.lookup(kernel.getSymNameAttr())].push_back(kernel);
      }
    for (auto &[block, kernels] : alike)
      for (auto [erased, same] : shareKernels(kernels))
        sames[erased] = same;
    for (ScheduleOp schedule : own.getOps<ScheduleOp>())
      for (KernelOp entry : schedule.getBody().getOps<KernelOp>())
        renameFunctions(entry);
    return names.size() - sames.size();
  }

  void renameFunctions(KernelOp entry) {
    llvm::SetVector<Attribute> functions;
    for (auto name : entry.getFunctions()->getAsRange<FlatSymbolRefAttr>()) {
      const StringAttr same = sames.lookup(name.getAttr());
      functions.insert(same ? FlatSymbolRefAttr::get(same) : name);
    }
    entry.setFunctionsAttr(ArrayAttr::get(module.getContext(), functions.getArrayRef()));
  }

  void eraseDeclarations() {
    SymbolTable symbols(module);
    for (StringAttr name : names)
      symbols.erase(symbols.lookup(name));
  }

  /// Globals come to the beginning of the module, what else there is to its end.
  void takeSymbols() {
    SymbolTable symbols(module), inside(own);
    for (Operation &op : own.getOps())
      if (auto symbol = dyn_cast<SymbolOpInterface>(&op); symbol && symbols.lookup(symbol.getName()))
        (void)inside.renameToUnique(&op, {&symbols});
    Operation *first = &module.getBody()->front();
    for (Operation &op : llvm::make_early_inc_range(own.getOps()))
      isa<memref::GlobalOp>(op) ? op.moveBefore(first)
                                : op.moveBefore(module.getBody(), module.getBody()->end());
  }

  /// Gives each step the constants of its kernel, and the kernel that is the same.
  void callShared() {
    module.walk([&](host::StepOp step) {
      const StringAttr kernel = step.getCalleeAttr().getAttr();
      if (const auto found = constants.find(kernel); found != constants.end())
        step.setConstantsAttr(found->second);
      if (const auto found = sames.find(kernel); found != sames.end())
        step.setCalleeAttr(FlatSymbolRefAttr::get(found->second));
    });
  }

  ModuleOp own, module;
  SmallVector<StringAttr> names; ///< of kernels
  llvm::DenseMap<StringAttr, ArrayAttr> constants;
  llvm::DenseMap<StringAttr, StringAttr> sames;
};

struct ShareKernels : impl::CpuShareKernelsBase<ShareKernels>, CountingPass {
  void runOnOperation() override {
    counts.clear();
    for (ModuleOp own : llvm::make_early_inc_range(getOperation().getOps<ModuleOp>()))
      counts["kernels"] += Return(own, getOperation()).run();
  }
};

} // namespace
} // namespace daedalus::cpu
