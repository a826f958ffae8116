// See ScalarFunction.h.

#include "ScalarFunction.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/isa/semantics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

namespace daedalus::dae {
namespace {

namespace arith = mlir::arith;
using llvm::APInt;

bool isInteger(mlir::Type type) {
  auto integer = mlir::dyn_cast<mlir::IntegerType>(type);
  return integer && integer.isSignless() && integer.getWidth() >= 1 && integer.getWidth() <= 128;
}

std::optional<APInt> shifted(const APInt &value, const APInt &by,
                             APInt (APInt::*shift)(const APInt &) const) {
  if (by.uge(value.getBitWidth()))
    return std::nullopt;
  return (value.*shift)(by);
}

std::optional<APInt> requantized(llvm::ArrayRef<APInt> x, const RequantFields &fields) {
  const auto number = [&](size_t k) { return static_cast<int32_t>(x[k].getSExtValue()); };
  if (number(2) < 0 || number(3) < 1 || number(3) > 62)
    return std::nullopt;
  return APInt(8,
               static_cast<uint64_t>(int64_t(isa::requantize(number(0), number(1), number(2), number(3),
                                                             fields.zeroPoint, fields.lo, fields.hi,
                                                             static_cast<isa::Rounding>(fields.rounding)))),
               true);
}

} // namespace

std::optional<ScalarFunction::Op> ScalarFunction::known(mlir::Operation &op) {
  return llvm::TypeSwitch<mlir::Operation *, std::optional<Op>>(&op)
      .Case([](arith::ConstantOp) { return Op::Constant; })
      .Case([](arith::AddIOp) { return Op::Add; })
      .Case([](arith::SubIOp) { return Op::Subtract; })
      .Case([](arith::MulIOp) { return Op::Multiply; })
      .Case([](arith::MaxSIOp) { return Op::Max; })
      .Case([](arith::MinSIOp) { return Op::Min; })
      .Case([](arith::ShLIOp) { return Op::ShiftLeft; })
      .Case([](arith::ShRSIOp) { return Op::ShiftRight; })
      .Case([](arith::ShRUIOp) { return Op::ShiftRightZero; })
      .Case([](arith::AndIOp) { return Op::And; })
      .Case([](arith::OrIOp) { return Op::Or; })
      .Case([](arith::XOrIOp) { return Op::Xor; })
      .Case([](arith::ExtSIOp) { return Op::Extend; })
      .Case([](arith::ExtUIOp) { return Op::ExtendZero; })
      .Case([](arith::TruncIOp) { return Op::Truncate; })
      .Case([](arith::CmpIOp) { return Op::Compare; })
      .Case([](arith::SelectOp) { return Op::Select; })
      .Case([](qnn::LookupOp) { return Op::Lookup; })
      .Case([](qnn::RequantizeOp) { return Op::Requantize; })
      .Default([](mlir::Operation *) { return std::nullopt; });
}

mlir::FailureOr<ScalarFunction> ScalarFunction::read(mlir::Block &body) {
  ScalarFunction function;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  for (mlir::BlockArgument argument : body.getArguments())
    numbers.try_emplace(argument, numbers.size());
  for (mlir::Operation &op : body.without_terminator()) {
    const std::optional<Op> kind = known(op);
    if (!kind || !isInteger(op.getResult(0).getType()) || !llvm::all_of(op.getOperands(), [&](mlir::Value x) {
          return isInteger(x.getType()) && numbers.count(x);
        }))
      return op.emitOpError("is no operation of an element; expected integers of up to 128 bits, of arith, "
                            "qnn.requantize or qnn.lookup");
    Node node{*kind, op.getResult(0).getType().getIntOrFloatBitWidth()};
    for (mlir::Value operand : op.getOperands())
      node.operands.push_back(numbers.lookup(operand));
    if (auto constant = mlir::dyn_cast<arith::ConstantOp>(op))
      node.constant = mlir::cast<mlir::IntegerAttr>(constant.getValue()).getValue();
    if (auto compare = mlir::dyn_cast<arith::CmpIOp>(op))
      node.predicate = static_cast<int64_t>(compare.getPredicate());
    if (auto requantize = mlir::dyn_cast<qnn::RequantizeOp>(op))
      node.requant = {requantize.getZeroPointAttr().getValue().getSExtValue(),
                      requantize.getLoAttr().getValue().getSExtValue(),
                      requantize.getHiAttr().getValue().getSExtValue(),
                      static_cast<int32_t>(requantize.getRounding())};
    numbers.try_emplace(op.getResult(0), numbers.size());
    function.nodes.push_back(std::move(node));
  }
  const auto result = numbers.find(body.getTerminator()->getOperand(0));
  if (result == numbers.end())
    return body.getTerminator()->emitOpError("returns what comes from outside");
  function.result = result->second;
  return function;
}

std::optional<APInt> ScalarFunction::valueOf(const Node &node, llvm::ArrayRef<APInt> x,
                                             const Surroundings &around) {
  switch (node.op) {
  case Op::Constant:
    return node.constant;
  case Op::Add:
    return x[0] + x[1];
  case Op::Subtract:
    return x[0] - x[1];
  case Op::Multiply:
    return x[0] * x[1];
  case Op::Max:
    return llvm::APIntOps::smax(x[0], x[1]);
  case Op::Min:
    return llvm::APIntOps::smin(x[0], x[1]);
  case Op::ShiftLeft:
    return shifted(x[0], x[1], &APInt::shl);
  case Op::ShiftRight:
    return shifted(x[0], x[1], &APInt::ashr);
  case Op::ShiftRightZero:
    return shifted(x[0], x[1], &APInt::lshr);
  case Op::And:
    return x[0] & x[1];
  case Op::Or:
    return x[0] | x[1];
  case Op::Xor:
    return x[0] ^ x[1];
  case Op::Extend:
    return x[0].sext(node.bits);
  case Op::ExtendZero:
    return x[0].zext(node.bits);
  case Op::Truncate:
    return x[0].trunc(node.bits);
  case Op::Compare:
    return APInt(1, arith::applyCmpPredicate(static_cast<arith::CmpIPredicate>(node.predicate), x[0], x[1]));
  case Op::Select:
    return x[0].isZero() ? x[2] : x[1];
  case Op::Lookup:
    if (around.table.size() != 256)
      return std::nullopt;
    return APInt(8, static_cast<uint64_t>(int64_t(around.table[x[0].getSExtValue() + 128])), true);
  case Op::Requantize:
    return requantized(x, around.requantFields ? *around.requantFields : node.requant);
  }
  return std::nullopt;
}

std::optional<APInt> ScalarFunction::evaluate(llvm::ArrayRef<APInt> arguments,
                                              const Surroundings &around) const {
  std::vector<std::optional<APInt>> values(arguments.begin(), arguments.end());
  for (const Node &node : nodes) {
    llvm::SmallVector<APInt, 4> operands;
    for (unsigned operand : node.operands)
      if (values[operand])
        operands.push_back(*values[operand]);
    if (operands.size() == node.operands.size())
      values.push_back(valueOf(node, operands, around));
    else
      values.push_back(std::nullopt);
  }
  return values[result];
}

} // namespace daedalus::dae
