// See PartOfMain.h.

#include "PartOfMain.h"

#include "daedalus/Kernels/Names.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace daedalus {
namespace {

std::string dtypeOf(Type type) {
  const Type element = cast<ShapedType>(type).getElementType();
  if (element.isBF16())
    return "bfloat16";
  return (isa<FloatType>(element) ? "float" : "int") + std::to_string(element.getIntOrFloatBitWidth());
}

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
  func::FuncOp make(OpBuilder &builder) {
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
    for (auto [i, type] : llvm::enumerate(types))
      part.setArgAttrs(i, attributes(builder, "input", i, type));
    for (auto [i, type] : llvm::enumerate(results))
      part.setResultAttrs(i, attributes(builder, "output", i, type));
    return part;
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

  static DictionaryAttr attributes(OpBuilder &builder, const std::string &name, size_t number, Type type) {
    return builder.getDictionaryAttr(
        {builder.getNamedAttr(kernel::valueName, builder.getStringAttr(name + std::to_string(number))),
         builder.getNamedAttr(kernel::dtype, builder.getStringAttr(dtypeOf(type)))});
  }

  func::FuncOp main;
  llvm::SetVector<Operation *> kept;
  llvm::SetVector<StringRef> kernels;
  llvm::SetVector<Value> inputs, outputs;
};

} // namespace

OwningOpRef<ModuleOp> partOfMain(ModuleOp kernels, const KernelCalls &calls) {
  auto main =
      *llvm::find_if(kernels.getOps<func::FuncOp>(), [](func::FuncOp func) { return func.isPublic(); });
  Part part(main, calls);
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
