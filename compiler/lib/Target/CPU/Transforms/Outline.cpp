// Kernels of very many loops in functions of a few each. LLVM compares the loops of a function with each
// other, so the time for all of them in one would grow with the square of their number.

#include "Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

constexpr size_t MostLoops = 16; ///< of a function, at its top level

/// One function of some loops of a kernel.
class Outlined {
public:
  Outlined(func::FuncOp kernel, size_t index) : inside(kernel.getContext()) {
    OpBuilder before(kernel);
    function = before.create<func::FuncOp>(
        kernel.getLoc(), (kernel.getName() + ".loops" + Twine(index)).str(), before.getFunctionType({}, {}));
    function.setPrivate();
    function->setAttr("passthrough", before.getStrArrayAttr({"noinline"}));
    inside.setInsertionPointToEnd(function.addEntryBlock());
  }

  /// Moves the loops here and calls them where the last one stood.
  void take(ArrayRef<Operation *> loops) {
    for (Operation *loop : loops) {
      loop->walk([&](Operation *op) {
        for (Value operand : op->getOperands())
          if (!loop->isAncestor(operand.getParentBlock()->getParentOp()))
            capture(operand);
      });
      inside.clone(*loop, mapping);
    }
    inside.create<func::ReturnOp>(function.getLoc());
    OpBuilder(loops.back()).create<func::CallOp>(function.getLoc(), function, arguments);
    for (Operation *loop : loops)
      loop->erase();
  }

private:
  /// Makes a value of the kernel known here: what is cheap and what says where memory lies is computed anew.
  void capture(Value value) {
    if (mapping.contains(value))
      return;
    Operation *op = value.getDefiningOp();
    if (op && (isa<MemRefType>(value.getType()) || matchPattern(value, m_Constant()))) {
      for (Value operand : op->getOperands())
        capture(operand);
      inside.clone(*op, mapping);
      return;
    }
    function.insertArgument(arguments.size(), value.getType(), {}, value.getLoc());
    mapping.map(value, function.getArgument(arguments.size()));
    arguments.push_back(value);
  }

  OpBuilder inside;
  func::FuncOp function;
  IRMapping mapping;
  SmallVector<Value> arguments;
};

} // namespace

void outlineLoops(func::FuncOp kernel) {
  SmallVector<SmallVector<Operation *>> runs(1); // of loops with nothing between them that has an effect
  for (Operation &op : kernel.getBody().front()) {
    if (isa<scf::ForOp, linalg::LinalgOp>(op) && op.getNumResults() == 0)
      runs.back().push_back(&op);
    else if (!isMemoryEffectFree(&op) && !runs.back().empty())
      runs.emplace_back();
  }
  size_t index = 0;
  for (ArrayRef<Operation *> run : runs)
    for (; run.size() > MostLoops; run = run.drop_front(MostLoops))
      Outlined(kernel, index++).take(run.take_front(MostLoops));
}

} // namespace daedalus::cpu
