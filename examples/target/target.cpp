// The compiler's part of the lanes machine: which kernels it takes, what they cost, and their code.

#include "lanes.h"

#include <daedalus/Analysis/Block.h>
#include <daedalus/Target/Plugin.h>

#include <charconv>

using namespace daedalus;

namespace {

/// --lanes and --lanes-clock-mhz.
struct Settings {
  static constexpr const char *target = lanes::name;
  uint64_t lanes = 64, clockMhz = 100;
};

class State : public TargetState {
public:
  Result<void> open(const TargetSettings &given, mlir::ModuleOp) override {
    settings = given.of<Settings>();
    return {};
  }
  Settings settings;
};

const Settings &settingsOf(const TargetState &state) {
  return static_cast<const State &>(state).settings;
}

TargetOption number(const char *name, const char *meaning, uint64_t Settings::*member) {
  TargetOption option{name, "N"};
  option.meaning = meaning;
  option.initial = std::to_string(Settings().*member);
  option.refusal = "whose code is made";
  option.give = [=](TargetSettings &settings, const std::string &value) -> Result<void> {
    uint64_t parsed = 0;
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), parsed);
    if (problem != std::errc() || end != value.data() + value.size() || parsed < 1 || parsed > 4096)
      return error("--" + std::string(name) + " is '" + value + "'; expected a whole number from 1 to 4096");
    settings.of<Settings>().*member = parsed;
    return {};
  };
  return option;
}

/// The only operation of a kernel whose result is the kernel's.
Result<Block> onlyBlock(mlir::func::FuncOp kernel) {
  mlir::linalg::LinalgOp only;
  for (mlir::Operation &op : kernel.getBody().front())
    if (auto linalg = mlir::dyn_cast<mlir::linalg::LinalgOp>(op)) {
      if (only)
        return error("it has more than one operation");
      only = linalg;
    }
  if (!only || kernel.getBody().front().getTerminator()->getOperand(0) != only->getResult(0))
    return error("it has no operation that gives its result");
  return blockOf(only);
}

/// Whether an input is an argument of the kernel, read element by element in the order of the output.
bool isPlain(const Access &input, const Block &block) {
  auto argument = mlir::dyn_cast<mlir::BlockArgument>(input.tensor);
  return argument && !input.fill && input.linear() == block.output.linear() &&
         mlir::getElementTypeOrSelf(argument.getType()).isSignlessInteger(8);
}

bool isOfArguments(const Block &block, const Expr &node) {
  return node.operands.size() == 2 && llvm::all_of(node.operands, [&](ExprId id) {
           const Expr &operand = block.expressions[id];
           return operand.kind == ExprKind::Argument ||
                  (operand.kind == ExprKind::Extend &&
                   block.expressions[operand.operands[0]].kind == ExprKind::Argument);
         });
}

/// A sum of both arguments that is clamped to int8.
bool isSaturatingSum(const Block &block, const Expr &truncated) {
  if (truncated.kind != ExprKind::Truncate)
    return false;
  const Expr &clamp = block.expressions[truncated.operands[0]];
  if (clamp.kind != ExprKind::Clamp || block.expressions[clamp.operands[1]].value != -128 ||
      block.expressions[clamp.operands[2]].value != 127)
    return false;
  const Expr &sum = block.expressions[clamp.operands[0]];
  return sum.kind == ExprKind::Sum && sum.value == 0 && isOfArguments(block, sum) &&
         llvm::all_of(sum.coefficients, [](int64_t factor) { return factor == 1; });
}

Result<lanes::Operation> operationOf(const Block &block) {
  const Expr &result = block.expressions[block.result];
  if (isSaturatingSum(block, result))
    return lanes::Operation::SaturatingSum;
  if (result.kind == ExprKind::Max && isOfArguments(block, result))
    return lanes::Operation::Maximum;
  if (result.kind == ExprKind::Min && isOfArguments(block, result))
    return lanes::Operation::Minimum;
  return error("it computes " + block.expressions.text(block.result));
}

Result<lanes::Kernel> kernelOf(mlir::func::FuncOp function, const Settings &settings) {
  const Result<Block> block = onlyBlock(function);
  if (!block)
    return error(block.error());
  if (block->hasReductions() || function.getNumArguments() != 2 || block->inputs.size() != 2 ||
      !block->writesInOrder() || !isPlain(block->inputs[0], *block) || !isPlain(block->inputs[1], *block))
    return error("it does not read two tensors of int8 element by element");
  const Result<lanes::Operation> operation = operationOf(*block);
  if (!operation)
    return error(operation.error());
  return lanes::Kernel{*operation, static_cast<uint64_t>(block->output.elements()), settings.lanes};
}

class LanesTarget : public Target {
public:
  std::string name() const override { return lanes::name; }
  std::string title(const TargetState &state) const override {
    return "the machine of " + std::to_string(settingsOf(state).lanes) + " lanes";
  }
  bool hasOwnMemory() const override { return true; }

  std::vector<TargetOption> options() const override {
    return {
        number("lanes", "Lanes of the machine", &Settings::lanes),
        number("lanes-clock-mhz", "The clock of the machine that costs are told at", &Settings::clockMhz)};
  }
  std::shared_ptr<TargetState> newState() const override { return std::make_shared<State>(); }

  Support supports(mlir::func::FuncOp function, TargetState &state) const override {
    const Result<lanes::Kernel> kernel = kernelOf(function, settingsOf(state));
    return {bool(kernel), kernel ? "takes two tensors element by element" : kernel.error(), 0};
  }

  Cost cost(mlir::func::FuncOp function, TargetState &state) const override {
    const Settings &settings = settingsOf(state);
    const uint64_t cycles = lanes::cyclesOf(*kernelOf(function, settings));
    return {static_cast<double>(cycles) / static_cast<double>(settings.clockMhz), ""};
  }

  mlir::LogicalResult compileDevice(llvm::ArrayRef<mlir::func::FuncOp> kernels, package::Device &device,
                                    TargetState &state) const override {
    for (mlir::func::FuncOp function : kernels) {
      const Result<lanes::Kernel> kernel = kernelOf(function, settingsOf(state));
      if (!kernel)
        return function.emitError("cannot run on ") << title(state) << ": " << kernel.error();
      lanes::append(device.code, *kernel);
    }
    return mlir::success();
  }
};

} // namespace

DAEDALUS_TARGET([]() -> std::unique_ptr<Target> { return std::make_unique<LanesTarget>(); })
