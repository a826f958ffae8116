// See Body.h.

#include "daedalus/Analysis/Body.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

namespace daedalus {
namespace {

namespace arith = mlir::arith;
using mlir::Value;

/// Of an integer of up to 64 bits or an index; 0 for all else.
unsigned bitsOf(mlir::Type type) {
  if (type.isIndex())
    return 64;
  auto integer = mlir::dyn_cast<mlir::IntegerType>(type);
  return integer && integer.isSignless() && integer.getWidth() >= 1 && integer.getWidth() <= 64
             ? integer.getWidth()
             : 0;
}

template <class T> std::string textOf(const T &thing) {
  std::string text;
  llvm::raw_string_ostream(text) << thing;
  return text;
}

class BodyReader {
public:
  BodyReader(mlir::Block &body, Expressions &all) : body(body), all(all) {}

  ExprId read(Value value) {
    const auto [found, isNew] = known.try_emplace(value, 0);
    if (!isNew)
      return found->second;
    const ExprId id = make(value);
    return known[value] = id;
  }

  llvm::DenseMap<Value, ExprId> take() { return std::move(known); }

private:
  ExprId make(Value value) {
    const unsigned bits = bitsOf(value.getType());
    mlir::APInt constant;
    if (bits && mlir::matchPattern(value, mlir::m_ConstantInt(&constant)))
      return all.constant(constant.getSExtValue(), bits);
    if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(value); argument && argument.getOwner() == &body)
      return all.argument(argument.getArgNumber(), bits, bits ? "" : textOf(value.getType()));
    mlir::Operation *op = value.getDefiningOp();
    if (!op || (op->getBlock() != &body && !op->hasTrait<mlir::OpTrait::ConstantLike>()))
      return all.other("value " + textOf(value.getAsOpaquePointer()) + " from outside", bits, {});
    return bits && op->getNumResults() == 1 ? integer(op, bits) : opaque(value);
  }

  static int64_t number(mlir::IntegerAttr attribute) { return attribute.getValue().getSExtValue(); }

  ExprId operand(mlir::Operation *op, unsigned k) { return read(op->getOperand(k)); }

  /// An operation as it is: its name, its attributes, the types of its operands and of its results.
  ExprId opaque(Value value) {
    mlir::Operation *op = value.getDefiningOp();
    std::string detail = op->getName().getStringRef().str();
    if (const unsigned number = mlir::cast<mlir::OpResult>(value).getResultNumber())
      detail += "#" + std::to_string(number);
    if (!op->getAttrDictionary().empty())
      detail += textOf(op->getAttrDictionary());
    for (mlir::Type type : op->getOperandTypes())
      detail += " " + textOf(type);
    detail += " -> " + textOf(op->getResultTypes());
    std::vector<ExprId> operands;
    for (Value input : op->getOperands())
      operands.push_back(read(input));
    return all.other(detail, bitsOf(value.getType()), operands);
  }

  ExprId integer(mlir::Operation *op, unsigned bits) {
    const auto both = [&](ExprId (Expressions::*make)(ExprId, ExprId)) {
      return (all.*make)(operand(op, 0), operand(op, 1));
    };
    const auto ofKind = [&](ExprId (Expressions::*make)(ExprKind, ExprId, ExprId), ExprKind kind) {
      return (all.*make)(kind, operand(op, 0), operand(op, 1));
    };
    return llvm::TypeSwitch<mlir::Operation *, ExprId>(op)
        .Case([&](arith::AddIOp) { return both(&Expressions::add); })
        .Case([&](arith::SubIOp) { return both(&Expressions::subtract); })
        .Case([&](arith::MulIOp) { return both(&Expressions::multiply); })
        .Case([&](arith::MaxSIOp) { return both(&Expressions::max); })
        .Case([&](arith::MinSIOp) { return both(&Expressions::min); })
        .Case([&](arith::ShLIOp) { return ofKind(&Expressions::shift, ExprKind::ShiftLeft); })
        .Case([&](arith::ShRSIOp) { return ofKind(&Expressions::shift, ExprKind::ShiftRight); })
        .Case([&](arith::ShRUIOp) { return ofKind(&Expressions::shift, ExprKind::ShiftRightZero); })
        .Case([&](arith::AndIOp) { return ofKind(&Expressions::logic, ExprKind::And); })
        .Case([&](arith::OrIOp) { return ofKind(&Expressions::logic, ExprKind::Or); })
        .Case([&](arith::XOrIOp) { return ofKind(&Expressions::logic, ExprKind::Xor); })
        .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp, arith::IndexCastUIOp>(
            [&](auto) { return converted(op, bits); })
        .Case([&](arith::CmpIOp compare) {
          return bitsOf(compare.getLhs().getType())
                     ? all.compare(int64_t(compare.getPredicate()), operand(op, 0), operand(op, 1))
                     : opaque(compare);
        })
        .Case([&](arith::SelectOp) { return all.select(operand(op, 0), operand(op, 1), operand(op, 2)); })
        .Case([&](mlir::tensor::ExtractOp extract) {
          return extract.getIndices().size() == 1
                     ? entry(extract, extract.getTensor(), bits, [&] { return operand(extract, 1); })
                     : opaque(extract);
        })
        .Case([&](qnn::LookupOp lookup) {
          return entry(lookup, lookup.getTable(), bits, [&] {
            return all.add(all.extend(operand(lookup, 0), 64), all.constant(qnn::tableOrigin, 64));
          });
        })
        .Case([&](qnn::RequantizeOp requantize) {
          return all.requant({operand(op, 0), operand(op, 1), operand(op, 2), operand(op, 3)},
                             {number(requantize.getZeroPointAttr()), number(requantize.getLoAttr()),
                              number(requantize.getHiAttr()),
                              static_cast<int32_t>(requantize.getRounding())});
        })
        .Default([&](mlir::Operation *) { return opaque(op->getResult(0)); });
  }

  /// To more or to fewer bits; index has 64.
  ExprId converted(mlir::Operation *op, unsigned bits) {
    const unsigned from = bitsOf(op->getOperand(0).getType());
    if (!from) // of more than 64
      return opaque(op->getResult(0));
    if (bits <= from)
      return all.truncate(operand(op, 0), bits);
    return mlir::isa<arith::ExtUIOp, arith::IndexCastUIOp>(op) ? all.extendZero(operand(op, 0), bits)
                                                               : all.extend(operand(op, 0), bits);
  }

  /// An entry of a constant table of up to 2^16 integers.
  ExprId entry(mlir::Operation *op, Value table, unsigned bits, llvm::function_ref<ExprId()> index) {
    constexpr int64_t most = 1 << 16;
    mlir::DenseIntElementsAttr entries;
    if (!mlir::matchPattern(table, mlir::m_Constant(&entries)) || entries.getNumElements() > most)
      return opaque(op->getResult(0));
    std::vector<int64_t> values;
    for (const mlir::APInt &value : entries)
      values.push_back(value.getSExtValue());
    return all.lookup(values, bits, index());
  }

  mlir::Block &body;
  Expressions &all;
  llvm::DenseMap<Value, ExprId> known;
};

} // namespace

std::optional<llvm::DenseMap<Value, ExprId>> expressionsOf(mlir::Block &body, Expressions &all) {
  constexpr unsigned mostOperations = 1024; // sums grow with them, and so does each addition to a sum
  if (body.getOperations().size() > mostOperations)
    return std::nullopt;
  BodyReader reader(body, all);
  for (mlir::Operation &op : body.without_terminator()) {
    if (op.getNumRegions() || !mlir::isMemoryEffectFree(&op))
      return std::nullopt;
    for (Value result : op.getResults()) // in order, so that none waits for another
      reader.read(result);
  }
  for (Value value : body.getTerminator()->getOperands()) // also from outside
    reader.read(value);
  return reader.take();
}

std::optional<ExprId> expressionOf(Value value, mlir::Block &body, Expressions &all) {
  auto read = expressionsOf(body, all);
  return read ? std::optional(read->lookup(value)) : std::nullopt;
}

} // namespace daedalus
