// See PartOfMain.h.

#include "PartOfMain.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace daedalus {
namespace {

class Part {
public:
  Part(func::FuncOp main, const KernelCalls &calls) : main(main) {
    llvm::StringMap<int64_t> next;
    for (auto call : main.getOps<func::CallOp>())
      if (calls.count({call.getCallee().str(), next[call.getCallee()]++}))
        keep(call);
    for (Operation &op : main.getOps())
      if (kept.contains(&op))
        addBoundary(&op);
  }

  bool calls(StringRef kernel) const { return kernels.contains(kernel); }

  /// The function that takes the place of @main.
  void make(OpBuilder &builder) {
    SmallVector<Type> types, results;
    for (Value input : inputs)
      types.push_back(input.getType());
    for (Value output : outputs)
      results.push_back(output.getType());
    auto part =
        builder.create<func::FuncOp>(main.getLoc(), main.getName(), builder.getFunctionType(types, results));
    Block *block = part.addEntryBlock();
    IRMapping map;
    map.map(inputs.getArrayRef(), block->getArguments());
    OpBuilder inside = OpBuilder::atBlockEnd(block);
    for (Operation &op : main.getOps())
      if (kept.contains(&op))
        inside.clone(op, map);
    SmallVector<Value> returned;
    for (Value output : outputs)
      returned.push_back(map.lookup(output));
    inside.create<func::ReturnOp>(main.getLoc(), returned);
  }

private:
  /// With the reshapes between calls that it reads.
  void keep(Operation *op) {
    if (!kept.insert(op))
      return;
    if (auto call = dyn_cast<func::CallOp>(op))
      kernels.insert(call.getCallee());
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp(); source && !isa<func::CallOp>(source))
        keep(source);
  }

  void addBoundary(Operation *op) {
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp(); !source || !kept.contains(source))
        inputs.insert(operand);
    const auto isOutside = [&](Operation *user) { return !kept.contains(user); };
    for (Value result : op->getResults())
      if (isa<func::CallOp>(op) && (result.use_empty() || llvm::any_of(result.getUsers(), isOutside)))
        outputs.insert(result);
  }

  func::FuncOp main;
  llvm::SetVector<Operation *> kept;
  llvm::SetVector<StringRef> kernels;
  llvm::SetVector<Value> inputs, outputs;
};

} // namespace

OwningOpRef<ModuleOp> partOfMain(ModuleOp kernels, const KernelCalls &calls) {
  Part part(kernels.lookupSymbol<func::FuncOp>("main"), calls);
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernels.getLoc());
  (*module)->setAttrs(kernels->getAttrs());
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  part.make(builder);
  for (auto kernel : kernels.getOps<func::FuncOp>())
    if (part.calls(kernel.getName()))
      builder.clone(*kernel);
  return module;
}

} // namespace daedalus
