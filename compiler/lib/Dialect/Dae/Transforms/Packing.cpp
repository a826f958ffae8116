// See Packing.h.

#include "Packing.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

namespace daedalus::dae {
namespace {

namespace arith = mlir::arith;

bool isInteger(mlir::Type type, unsigned most) {
  auto integer = mlir::dyn_cast<mlir::IntegerType>(type);
  return integer && integer.isSignless() && integer.getWidth() >= 1 && integer.getWidth() <= most;
}

} // namespace

std::vector<uint8_t> Packing::pack(llvm::ArrayRef<int64_t> constants) const {
  std::vector<llvm::APInt> values;
  for (auto [input, value] : llvm::zip(inputs, constants))
    values.emplace_back(input.bits, static_cast<uint64_t>(value), true);
  for (const Node &node : nodes) {
    const auto a = [&]() -> const llvm::APInt & { return values[node.a]; };
    const auto b = [&]() -> const llvm::APInt & { return values[node.b]; };
    const auto made = [&]() -> llvm::APInt {
      switch (node.op) {
      case Op::Constant:
        return node.constant;
      case Op::Add:
        return a() + b();
      case Op::Sub:
        return a() - b();
      case Op::Mul:
        return a() * b();
      case Op::Shl:
        return a().shl(b());
      case Op::ShrU:
        return a().lshr(b());
      case Op::ShrS:
        return a().ashr(b());
      case Op::And:
        return a() & b();
      case Op::Or:
        return a() | b();
      case Op::Xor:
        return a() ^ b();
      case Op::ExtendSign:
        return a().sext(node.bits);
      case Op::ExtendZero:
        return a().zext(node.bits);
      case Op::Truncate:
        return a().trunc(node.bits);
      }
      llvm_unreachable("an operation of packing");
    };
    values.push_back(made());
  }
  std::vector<uint8_t> bytes;
  for (unsigned bit = 0; bit < values[result].getBitWidth(); bit += 8)
    bytes.push_back(static_cast<uint8_t>(values[result].extractBitsAsZExtValue(8, bit)));
  return bytes;
}

mlir::FailureOr<Packing> readPackingFunction(mlir::func::FuncOp function, unsigned bits) {
  using Op = Packing::Op;
  Packing packing;
  if (function.isExternal() || !function.getBody().hasOneBlock() || function.getNumResults() != 1 ||
      !function.getResultTypes()[0].isSignlessInteger(bits) || function.getNumArguments() == 0)
    return function.emitOpError("is no packing; expected a function of integers, with a body, to an i")
           << bits;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  for (mlir::BlockArgument argument : function.getArguments()) {
    if (!isInteger(argument.getType(), 64))
      return function.emitOpError("packs a value of type ") << argument.getType() << "; expected i1 to i64";
    const unsigned width = argument.getType().getIntOrFloatBitWidth();
    Packing::Constant input{width, leastOf(width), greatestOf(width)};
    if (const mlir::Attribute given = function.getArgAttr(argument.getArgNumber(), "dae.range")) {
      auto range = mlir::dyn_cast<RangeAttr>(given);
      if (!range || range.getLow() < input.low || range.getHigh() > input.high)
        return function.emitOpError("has dae.range = ")
               << given << "; expected a #dae.range of an i" << width;
      input.low = range.getLow(), input.high = range.getHigh();
    }
    numbers[argument] = packing.inputs.size();
    packing.inputs.push_back(input);
  }
  for (mlir::Operation &op : function.getBody().front().without_terminator()) {
    const std::optional<Op> known = llvm::TypeSwitch<mlir::Operation *, std::optional<Op>>(&op)
                                        .Case([](arith::ConstantOp) { return Op::Constant; })
                                        .Case([](arith::AddIOp) { return Op::Add; })
                                        .Case([](arith::SubIOp) { return Op::Sub; })
                                        .Case([](arith::MulIOp) { return Op::Mul; })
                                        .Case([](arith::ShLIOp) { return Op::Shl; })
                                        .Case([](arith::ShRUIOp) { return Op::ShrU; })
                                        .Case([](arith::ShRSIOp) { return Op::ShrS; })
                                        .Case([](arith::AndIOp) { return Op::And; })
                                        .Case([](arith::OrIOp) { return Op::Or; })
                                        .Case([](arith::XOrIOp) { return Op::Xor; })
                                        .Case([](arith::ExtSIOp) { return Op::ExtendSign; })
                                        .Case([](arith::ExtUIOp) { return Op::ExtendZero; })
                                        .Case([](arith::TruncIOp) { return Op::Truncate; })
                                        .Default([](mlir::Operation *) { return std::nullopt; });
    if (!known || !isInteger(op.getResult(0).getType(), 128))
      return op.emitOpError("is no part of a packing; expected constants, sums, products, shifts, bits and "
                            "conversions of integers of up to 128 bits");
    Packing::Node node{*known, op.getResult(0).getType().getIntOrFloatBitWidth()};
    if (auto constant = mlir::dyn_cast<arith::ConstantOp>(op))
      node.constant = mlir::cast<mlir::IntegerAttr>(constant.getValue()).getValue();
    if (op.getNumOperands() > 0)
      node.a = numbers.lookup(op.getOperand(0));
    if (op.getNumOperands() > 1)
      node.b = numbers.lookup(op.getOperand(1));
    numbers[op.getResult(0)] = packing.inputs.size() + packing.nodes.size();
    packing.nodes.push_back(std::move(node));
  }
  packing.result = numbers.lookup(function.getBody().front().getTerminator()->getOperand(0));
  return packing;
}

} // namespace daedalus::dae
