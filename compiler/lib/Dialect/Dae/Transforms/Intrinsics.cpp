// The declared intrinsics, and the comparison of bodies by their expressions.

#include "Intrinsics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace daedalus::dae {
namespace {

mlir::Value yieldedBy(mlir::linalg::GenericOp block) {
  return block.getBody()->getTerminator()->getOperand(0);
}

/// The loop attributes of an instruction whose k-th stride is that of operand order[k]; -1 gives zero.
mlir::ArrayAttr loopsAttr(mlir::OpBuilder &b, const IntrinsicMatch &m, llvm::ArrayRef<int> order) {
  llvm::SmallVector<mlir::Attribute> loops;
  for (const IntrinsicMatch::Loop &loop : m.loops) {
    llvm::SmallVector<int64_t> strides;
    for (int operand : order)
      strides.push_back(operand < 0 ? 0 : loop.strides[operand]);
    loops.push_back(LoopAttr::get(b.getContext(), loop.reduce, loop.count, strides));
  }
  return b.getArrayAttr(loops);
}

mlir::DenseI64ArrayAttr rowsAttr(mlir::OpBuilder &b, const IntrinsicMatch &m, llvm::ArrayRef<int> order) {
  llvm::SmallVector<int64_t> rows;
  for (int operand : order)
    rows.push_back(operand < 0 ? 0 : m.rows[operand]);
  return b.getDenseI64ArrayAttr(rows);
}

void copyLayer(mlir::Operation *from, mlir::Operation *to) {
  if (mlir::Attribute layer = from->getAttr("layer"))
    to->setAttr("layer", layer);
}

void buildGemm(mlir::OpBuilder &b, const IntrinsicMatch &m) {
  mlir::linalg::GenericOp block = m.block;
  auto op = b.create<GemmOp>(block.getLoc(), TokenType::get(b.getContext()), block.getInputs()[0],
                             block.getInputs()[1], block.getOutputs()[0], rowsAttr(b, m, {0, 1, 2}),
                             loopsAttr(b, m, {0, 1, 2}), mlir::UnitAttr(), mlir::ValueRange(),
                             mlir::IntegerAttr(), ModulesAttr(), ModulesAttr());
  op.setAccumulate(m.accumulate);
  copyLayer(block, op);
}

/// VECTOR with operand 0 of the block as a and, where bOperand is not -1, that operand as b.
VectorOp buildVector(mlir::OpBuilder &b, const IntrinsicMatch &m, VectorKind kind, int bOperand) {
  mlir::linalg::GenericOp block = m.block;
  int dst = block.getNumDpsInputs();
  auto op = b.create<VectorOp>(
      block.getLoc(), TokenType::get(b.getContext()), block.getOutputs()[0], block.getInputs()[0],
      bOperand < 0 ? mlir::Value() : block.getInputs()[bOperand], VectorKindAttr::get(b.getContext(), kind),
      mlir::IntegerAttr(), mlir::IntegerAttr(), mlir::IntegerAttr(), mlir::IntegerAttr(), qnn::RoundingAttr(),
      rowsAttr(b, m, {dst, 0, bOperand}), loopsAttr(b, m, {dst, 0, bOperand}), mlir::UnitAttr(),
      mlir::ValueRange(), mlir::IntegerAttr(), ModulesAttr(), ModulesAttr());
  op.setAccumulate(m.accumulate);
  copyLayer(block, op);
  return op;
}

/// A reduction of a single value that starts anew is a move.
std::function<void(mlir::OpBuilder &, const IntrinsicMatch &)> vectorReduce(VectorKind kind) {
  return [kind](mlir::OpBuilder &b, const IntrinsicMatch &m) {
    bool reduces =
        m.accumulate || llvm::any_of(m.loops, [](const IntrinsicMatch::Loop &l) { return l.reduce; });
    buildVector(b, m, reduces ? kind : VectorKind::Mov, -1);
  };
}

void buildRequant(mlir::OpBuilder &b, const IntrinsicMatch &m) {
  qnn::RequantizeOp scalar; // the one that is yielded, as the expression says, extended or not
  for (mlir::Value value = yieldedBy(m.block); !scalar; value = value.getDefiningOp()->getOperand(0))
    scalar = value.getDefiningOp<qnn::RequantizeOp>();
  VectorOp op = buildVector(b, m, VectorKind::Requant, 1);
  op.setLo(scalar.getLoAttr().getValue().getSExtValue());
  op.setHi(scalar.getHiAttr().getValue().getSExtValue());
  op.setZeroPoint(scalar.getZeroPointAttr().getValue().getSExtValue());
  op.setRoundingAttr(scalar.getRoundingAttr());
}

void buildLookup(mlir::OpBuilder &b, const IntrinsicMatch &m) {
  buildVector(b, m, VectorKind::Lut, 1);
}

void buildDepthwise(mlir::OpBuilder &b, const IntrinsicMatch &m) {
  buildVector(b, m, VectorKind::Mac, 1);
}

void buildMove(mlir::OpBuilder &b, const IntrinsicMatch &m) {
  buildVector(b, m, VectorKind::Mov, -1);
}

void buildSaturate(mlir::OpBuilder &b, const IntrinsicMatch &m) {
  VectorOp op = buildVector(b, m, VectorKind::Mov, -1);
  op.setLo(m.immediates[0]);
  op.setHi(m.immediates[1]);
}

/// The operations of two numbers, of int8 and int32, one of them perhaps an immediate, to ACC or cut to int8.
void declareBinary(std::vector<Intrinsic> &all) {
  struct Form {
    VectorKind kind;
    const char *text;
  };
  const Form forms[] = {{VectorKind::Add, "add"},  {VectorKind::Sub, "sub"}, {VectorKind::Mul, "mul"},
                        {VectorKind::Max, "max"},  {VectorKind::Min, "min"}, {VectorKind::Shl, "shl"},
                        {VectorKind::Shr, "shrs"}, {VectorKind::Mac, "mul"}};
  const IntrinsicOperand inp{{Scope::Inp}, "l"}, acc{{Scope::Acc}, "l"}, out{{Scope::Out}, "l"};
  const auto read = [](bool isInp, int number) {
    const std::string argument = "%" + std::to_string(number);
    return isInp ? "sext(" + argument + ")" : argument;
  };
  for (const Form &form : forms)
    for (bool a : {true, false})
      for (int b : {0, 1, 2}) // an immediate, INP, ACC
        for (bool cuts : {false, true}) {
          std::vector<IntrinsicOperand> operands{a ? inp : acc};
          if (b)
            operands.push_back(b == 1 ? inp : acc);
          const std::string second = b ? read(b == 1, 1) : "#";
          std::string text = form.text + ("(" + read(a, 0)) + "," + second + ")";
          std::optional<int64_t> identity;
          if (form.kind == VectorKind::Mac) {
            if (cuts)
              continue;
            text = "add(%" + std::to_string(operands.size()) + "," + text + ")";
            identity = 0;
          }
          if (cuts)
            text = "trunc(min(max(" + text + ",#),#))";
          operands.push_back(cuts ? out : acc);
          const VectorKind kind = form.kind;
          all.push_back({"vector.binary", text, operands, 5, identity,
                         [kind, b, cuts](mlir::OpBuilder &builder, const IntrinsicMatch &m) {
                           VectorOp op = buildVector(builder, m, kind, b ? 1 : -1);
                           if (!b)
                             op.setImmediate(m.immediates[0]);
                           if (cuts)
                             op.setLo(m.immediates[!b]), op.setHi(m.immediates[!b + 1]);
                         }});
        }
}

std::vector<Intrinsic> declare() {
  const IntrinsicOperand inp{{Scope::Inp}, "l"}, acc{{Scope::Acc}, "l"}, out{{Scope::Out, Scope::Inp}, "l"},
      param{{Scope::Param}, "l"}, window{{}, ""}, table{{Scope::Lut}, ""};
  const std::string unpacked = ",trunc(%1),trunc(shr(%1,32)),trunc(shr(%1,64)))";
  std::vector<Intrinsic> all = {
      {"gemm",
       "add(%2,mul(sext(%0),sext(%1)))",
       {{{Scope::Inp}, "i"}, {{Scope::Wgt}, "oi"}, {{Scope::Acc}, "o"}},
       6,
       0,
       buildGemm},
      {"vector.depthwise", "add(%2,mul(sext(%0),sext(%1)))", {inp, param, acc}, 5, 0, buildDepthwise},
      {"vector.reduce_add", "add(%2,sext(%0))", {inp, window, acc}, 5, 0, vectorReduce(VectorKind::Add)},
      {"vector.reduce_max", "max(%2,sext(%0))", {inp, window, acc}, 5, -128, vectorReduce(VectorKind::Max)},
      {"vector.move", "%0", {inp, out}, 5, {}, buildMove},
      {"vector.lut_acc", "qnn.lookup(trunc(%0),%1)", {acc, table, out}, 5, {}, buildLookup},
      {"vector.lut_acc_acc", "sext(qnn.lookup(trunc(%0),%1))", {acc, table, acc}, 5, {}, buildLookup},
      {"vector.lut_inp_acc", "sext(qnn.lookup(%0,%1))", {inp, table, acc}, 5, {}, buildLookup},
      {"vector.lut", "qnn.lookup(%0,%1)", {inp, table, out}, 5, {}, buildLookup},
      {"vector.requant", "requant(%0" + unpacked, {acc, param, out}, 5, {}, buildRequant},
      {"vector.requant_acc", "sext(requant(%0" + unpacked + ")", {acc, param, acc}, 5, {}, buildRequant},
      {"vector.requant_int8", "requant(sext(%0)" + unpacked, {inp, param, out}, 5, {}, buildRequant},
      {"vector.saturate", "trunc(min(max(%0,#),#))", {acc, out}, 5, {}, buildSaturate},
      {"vector.saturate_int8", "trunc(min(max(sext(%0),#),#))", {inp, out}, 5, {}, buildSaturate},
  };
  declareBinary(all);
  return all;
}

/// Deeper than any intrinsic is. Values that are used twice stand there twice, so the depth bounds the text.
constexpr unsigned MostDepth = 8;

std::string describeValue(mlir::Value value, mlir::Block *body, unsigned depth) {
  mlir::APInt constant;
  if (mlir::matchPattern(value, mlir::m_ConstantInt(&constant)) && constant.getSignificantBits() <= 64)
    return std::to_string(constant.getSExtValue());
  if (value.getParentBlock() != body || depth == 0)
    return "...";
  if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(value))
    return "%" + std::to_string(argument.getArgNumber());
  mlir::Operation *op = value.getDefiningOp();
  std::string name = llvm::TypeSwitch<mlir::Operation *, std::string>(op)
                         .Case<mlir::arith::ExtSIOp>([](auto) { return "sext"; })
                         .Case<mlir::arith::TruncIOp>([](auto) { return "trunc"; })
                         .Case<mlir::arith::AddIOp>([](auto) { return "add"; })
                         .Case<mlir::arith::MulIOp>([](auto) { return "mul"; })
                         .Case<mlir::arith::MaxSIOp>([](auto) { return "max"; })
                         .Case<mlir::arith::MinSIOp>([](auto) { return "min"; })
                         .Case<mlir::arith::SubIOp>([](auto) { return "sub"; })
                         .Case<mlir::arith::ShLIOp>([](auto) { return "shl"; })
                         .Case<mlir::arith::ShRSIOp>([](auto) { return "shrs"; })
                         .Case<mlir::arith::ShRUIOp>([](auto) { return "shr"; })
                         .Case<qnn::RequantizeOp>([](auto) { return "requant"; })
                         .Default([](mlir::Operation *o) { return o->getName().getStringRef().str(); });
  std::string text = name + "(";
  for (mlir::Value operand : op->getOperands())
    text += (text.back() == '(' ? "" : ",") + describeValue(operand, body, depth - 1);
  return text + ")";
}

} // namespace

const std::vector<Intrinsic> &intrinsics() {
  static const std::vector<Intrinsic> all = declare();
  return all;
}

std::string describeBody(mlir::linalg::GenericOp block) {
  return describeValue(yieldedBy(block), block.getBody(), MostDepth);
}

bool matchExpression(llvm::StringRef pattern, llvm::StringRef expression, std::vector<int64_t> &immediates) {
  while (!pattern.empty() && !expression.empty()) {
    if (pattern.front() == '#') {
      int64_t value = 0;
      if (expression.consumeInteger(10, value))
        return false;
      immediates.push_back(value);
      pattern = pattern.drop_front();
    } else if (pattern.front() != expression.front()) {
      return false;
    } else {
      pattern = pattern.drop_front();
      expression = expression.drop_front();
    }
  }
  return pattern.empty() && expression.empty();
}

} // namespace daedalus::dae
