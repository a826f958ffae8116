// See vector_target.h. A kernel is read as a block; its expression becomes instructions in postfix order.

#include "vector_target.h"

#include "../../support/vector_machine.h"

#include "daedalus/Analysis/Block.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <charconv>

namespace daedalus::test {
namespace {

using Operation = VectorOperation;

class KernelWriter {
public:
  KernelWriter(mlir::func::FuncOp kernel, std::string &why) : kernel(kernel), why(why) {}

  std::optional<VectorKernel> write() {
    mlir::linalg::LinalgOp only;
    for (mlir::Operation &op : kernel.getBody().front())
      if (auto linalg = mlir::dyn_cast<mlir::linalg::LinalgOp>(op)) {
        if (only)
          return no("it has more than one block");
        only = linalg;
      }
    mlir::Value returned = kernel.getBody().front().getTerminator()->getOperand(0);
    if (!only || only->getResult(0) != returned)
      return no("it is no elementwise block");
    const Result<Block> block = blockOf(only);
    if (!block || block->hasReductions() || block->reads(block->outputNumber()))
      return no("it is no elementwise block");
    for (const Iterator &iterator : block->iterators)
      result.extents.push_back(iterator.extent);
    result.operands.resize(kernel.getNumArguments() + 1);
    for (VectorOperand &operand : result.operands)
      operand.strides.assign(result.extents.size(), 0);
    for (const Access &access : block->inputs)
      if (!add(access))
        return no("it reads something else than its arguments");
    place(block->output, result.operands.back());
    if (!expression(block->expressions, block->result))
      return no("it computes " + block->expressions.text(block->result));
    return std::move(result);
  }

private:
  std::nullopt_t no(const std::string &reason) {
    why = reason;
    return std::nullopt;
  }

  bool add(const Access &access) {
    auto argument = mlir::dyn_cast<mlir::BlockArgument>(access.tensor);
    if (!argument || access.fill || llvm::is_contained(arguments, argument.getArgNumber()))
      return false;
    arguments.push_back(argument.getArgNumber());
    place(access, result.operands[argument.getArgNumber()]);
    return true;
  }

  static void place(const Access &access, VectorOperand &operand) {
    operand.bits = mlir::getElementTypeOrSelf(access.tensor.getType()).getIntOrFloatBitWidth();
    const Coordinate at = access.linear();
    operand.offset = at.offset;
    operand.strides.assign(at.factors.begin(), at.factors.end());
  }

  void push(Operation operation, int64_t value = 0) { result.instructions.push_back({operation, value}); }

  bool expression(const Expressions &all, ExprId id) {
    const Expr &node = all[id];
    const auto joined = [&](Operation operation) {
      for (size_t k = 0; k < node.operands.size(); ++k) {
        if (!expression(all, node.operands[k]))
          return false;
        if (k)
          push(operation);
      }
      return true;
    };
    switch (node.kind) {
    case ExprKind::Argument:
      push(Operation::Argument, arguments[node.value]);
      return true;
    case ExprKind::Constant:
      push(Operation::Constant, node.value);
      return true;
    case ExprKind::Sum:
      push(Operation::Constant, node.value);
      for (size_t k = 0; k < node.operands.size(); ++k) {
        if (!expression(all, node.operands[k]))
          return false;
        push(Operation::Constant, node.coefficients[k]);
        push(Operation::Multiply);
        push(Operation::Add);
      }
      push(Operation::Wrap, node.bits);
      return true;
    case ExprKind::Product:
      if (!joined(Operation::Multiply))
        return false;
      push(Operation::Wrap, node.bits);
      return true;
    case ExprKind::Extend:
      return expression(all, node.operands[0]);
    case ExprKind::Truncate:
      if (!expression(all, node.operands[0]))
        return false;
      push(Operation::Wrap, node.bits);
      return true;
    case ExprKind::Max:
      return joined(Operation::Max);
    case ExprKind::Min:
      return joined(Operation::Min);
    case ExprKind::Clamp:
      if (!expression(all, node.operands[0]))
        return false;
      push(Operation::Constant, all[node.operands[1]].value);
      push(Operation::Max);
      push(Operation::Constant, all[node.operands[2]].value);
      push(Operation::Min);
      return true;
    default: // a machine that has nothing else
      return false;
    }
  }

  mlir::func::FuncOp kernel;
  std::string &why;
  VectorKernel result;
  std::vector<int64_t> arguments; ///< of the block's inputs
};

class VectorState : public TargetState {
public:
  Result<void> open(const TargetSettings &settings, mlir::ModuleOp) override {
    microseconds = settings.of<VectorSettings>().microseconds;
    return {};
  }
  double microseconds = 0;
};

Result<void> giveCost(TargetSettings &settings, const std::string &value) {
  double &cost = settings.of<VectorSettings>().microseconds;
  const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), cost);
  if (problem == std::errc() && end == value.data() + value.size() && cost >= 0)
    return {};
  return error("--vector-machine-cost is '" + value + "'; expected a number of microseconds, 0 or more");
}

class VectorTarget : public Target {
public:
  std::string name() const override { return vectorMachineName; }
  std::string title(const TargetState &) const override { return "the vector machine"; }
  bool hasOwnMemory() const override { return true; }

  std::vector<TargetOption> options() const override {
    TargetOption cost{"vector-machine-cost", "US"};
    cost.meaning = "What a kernel costs on the vector machine";
    cost.refusal = "whose kernels are placed";
    cost.give = giveCost;
    return {cost};
  }
  std::shared_ptr<TargetState> newState() const override { return std::make_shared<VectorState>(); }

  Support supports(mlir::func::FuncOp kernel, TargetState &) const override {
    std::string why;
    const bool isTaken = KernelWriter(kernel, why).write().has_value();
    return {isTaken, isTaken ? "is one elementwise block" : why, 0};
  }
  Cost cost(mlir::func::FuncOp, TargetState &state) const override {
    return {static_cast<const VectorState &>(state).microseconds, "copies"};
  }

  mlir::LogicalResult compileDevice(llvm::ArrayRef<mlir::func::FuncOp> kernels, package::Device &device,
                                    TargetState &) const override {
    std::vector<VectorKernel> all;
    std::string why;
    for (mlir::func::FuncOp kernel : kernels) {
      std::optional<VectorKernel> written = KernelWriter(kernel, why).write();
      if (!written)
        return kernel.emitError(why);
      all.push_back(std::move(*written));
    }
    device.code = encodeVectorKernels(all);
    return mlir::success();
  }
};

} // namespace

std::unique_ptr<Target> createVectorTarget() {
  return std::make_unique<VectorTarget>();
}

} // namespace daedalus::test
