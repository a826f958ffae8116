// Scalar operations on real numbers in double precision, for tables of functions: truth values are 0 and 1.

#include "Functions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

namespace daedalus::qnn {
namespace {

using namespace mlir;
using Scalar = double (*)(const double *);

bool compares(arith::CmpFPredicate how, double x, double y) {
  using P = arith::CmpFPredicate;
  const bool isOrdered = !std::isnan(x) && !std::isnan(y);
  switch (how) {
  case P::AlwaysFalse:
    return false;
  case P::OEQ:
    return x == y;
  case P::OGT:
    return x > y;
  case P::OGE:
    return x >= y;
  case P::OLT:
    return x < y;
  case P::OLE:
    return x <= y;
  case P::ONE:
    return isOrdered && x != y;
  case P::ORD:
    return isOrdered;
  case P::UEQ:
    return !isOrdered || x == y;
  case P::UGT:
    return !(x <= y);
  case P::UGE:
    return !(x < y);
  case P::ULT:
    return !(x >= y);
  case P::ULE:
    return !(x > y);
  case P::UNE:
    return x != y;
  case P::UNO:
    return !isOrdered;
  case P::AlwaysTrue:
    return true;
  }
  return false;
}

/// Of one or two numbers; null for all else.
Scalar arithmeticOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Scalar>(op)
      .Case<arith::AddFOp>([](auto) { return [](const double *x) { return x[0] + x[1]; }; })
      .Case<arith::SubFOp>([](auto) { return [](const double *x) { return x[0] - x[1]; }; })
      .Case<arith::MulFOp>([](auto) { return [](const double *x) { return x[0] * x[1]; }; })
      .Case<arith::DivFOp>([](auto) { return [](const double *x) { return x[0] / x[1]; }; })
      .Case<arith::NegFOp>([](auto) { return [](const double *x) { return -x[0]; }; })
      .Case<arith::MaximumFOp>([](auto) {
        return [](const double *x) { return std::isnan(x[0]) ? x[0] : x[0] > x[1] ? x[0] : x[1]; };
      })
      .Case<arith::MinimumFOp>([](auto) {
        return [](const double *x) { return std::isnan(x[0]) ? x[0] : x[0] < x[1] ? x[0] : x[1]; };
      })
      .Case<arith::MaxNumFOp>([](auto) { return [](const double *x) { return std::fmax(x[0], x[1]); }; })
      .Case<arith::MinNumFOp>([](auto) { return [](const double *x) { return std::fmin(x[0], x[1]); }; })
      .Case<arith::AndIOp>(
          [](auto) { return [](const double *x) { return double(x[0] != 0 && x[1] != 0); }; })
      .Case<arith::OrIOp>([](auto) { return [](const double *x) { return double(x[0] != 0 || x[1] != 0); }; })
      .Case<arith::XOrIOp>(
          [](auto) { return [](const double *x) { return double((x[0] != 0) != (x[1] != 0)); }; })
      .Case<math::PowFOp>([](auto) { return [](const double *x) { return std::pow(x[0], x[1]); }; })
      .Default([](auto) { return nullptr; });
}

Scalar functionOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Scalar>(op)
      .Case<math::AbsFOp>([](auto) { return [](const double *x) { return std::abs(*x); }; })
      .Case<math::AcosOp>([](auto) { return [](const double *x) { return std::acos(*x); }; })
      .Case<math::AcoshOp>([](auto) { return [](const double *x) { return std::acosh(*x); }; })
      .Case<math::AsinOp>([](auto) { return [](const double *x) { return std::asin(*x); }; })
      .Case<math::AsinhOp>([](auto) { return [](const double *x) { return std::asinh(*x); }; })
      .Case<math::AtanOp>([](auto) { return [](const double *x) { return std::atan(*x); }; })
      .Case<math::AtanhOp>([](auto) { return [](const double *x) { return std::atanh(*x); }; })
      .Case<math::CeilOp>([](auto) { return [](const double *x) { return std::ceil(*x); }; })
      .Case<math::CosOp>([](auto) { return [](const double *x) { return std::cos(*x); }; })
      .Case<math::CoshOp>([](auto) { return [](const double *x) { return std::cosh(*x); }; })
      .Case<math::ErfOp>([](auto) { return [](const double *x) { return std::erf(*x); }; })
      .Case<math::ExpOp>([](auto) { return [](const double *x) { return std::exp(*x); }; })
      .Case<math::ExpM1Op>([](auto) { return [](const double *x) { return std::expm1(*x); }; })
      .Case<math::FloorOp>([](auto) { return [](const double *x) { return std::floor(*x); }; })
      .Case<math::LogOp>([](auto) { return [](const double *x) { return std::log(*x); }; })
      .Case<math::Log1pOp>([](auto) { return [](const double *x) { return std::log1p(*x); }; })
      .Case<math::RoundEvenOp>([](auto) { return [](const double *x) { return std::nearbyint(*x); }; })
      .Case<math::SinOp>([](auto) { return [](const double *x) { return std::sin(*x); }; })
      .Case<math::SinhOp>([](auto) { return [](const double *x) { return std::sinh(*x); }; })
      .Case<math::SqrtOp>([](auto) { return [](const double *x) { return std::sqrt(*x); }; })
      .Case<math::TanOp>([](auto) { return [](const double *x) { return std::tan(*x); }; })
      .Case<math::TanhOp>([](auto) { return [](const double *x) { return std::tanh(*x); }; })
      .Default([](auto) { return nullptr; });
}

Scalar scalarOf(Operation *op) {
  const Scalar arithmetic = arithmeticOf(op);
  return arithmetic ? arithmetic : functionOf(op);
}

std::optional<double> numberOf(arith::ConstantOp constant) {
  if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
    return number.getValueAsDouble();
  if (auto truth = dyn_cast<IntegerAttr>(constant.getValue()); truth && truth.getType().isInteger(1))
    return truth.getValue().isZero() ? 0 : 1;
  return std::nullopt;
}

/// Floats and truth values are what it computes with.
bool isKnownType(Type type) {
  return type.isF32() || type.isF64() || type.isInteger(1);
}

} // namespace

bool isEvaluated(Operation *op) {
  if (!llvm::all_of(op->getOperandTypes(), isKnownType) || !llvm::all_of(op->getResultTypes(), isKnownType))
    return false;
  for (Value operand : op->getOperands())
    if (auto constant = operand.getDefiningOp<arith::ConstantOp>(); constant && !numberOf(constant))
      return false;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return numberOf(constant).has_value();
  return isa<arith::SelectOp, arith::CmpFOp, arith::ExtFOp>(op) || scalarOf(op);
}

std::vector<double> evaluate(Block &body, ArrayRef<std::vector<double>> arguments) {
  const size_t count = arguments[0].size();
  DenseMap<Value, std::vector<double>> values;
  for (auto [i, x] : llvm::enumerate(arguments))
    values[body.getArgument(i)] = x;
  const auto valueOf = [&](Value value) {
    auto known = values.find(value);
    if (known != values.end())
      return known->second;
    return std::vector<double>(count, *numberOf(value.getDefiningOp<arith::ConstantOp>()));
  };
  for (Operation &op : body.without_terminator()) {
    if (isa<arith::ConstantOp>(op))
      continue;
    std::vector<std::vector<double>> operands;
    for (Value operand : op.getOperands())
      operands.push_back(valueOf(operand));
    std::vector<double> result(count);
    const Scalar scalar = scalarOf(&op);
    for (size_t i = 0; i < count; ++i) {
      double at[3];
      for (size_t k = 0; k < operands.size(); ++k)
        at[k] = operands[k][i];
      if (auto compare = dyn_cast<arith::CmpFOp>(op))
        result[i] = compares(compare.getPredicate(), at[0], at[1]) ? 1 : 0;
      else if (isa<arith::SelectOp>(op))
        result[i] = at[0] != 0 ? at[1] : at[2];
      else
        result[i] = scalar ? scalar(at) : at[0];
    }
    values[op.getResult(0)] = std::move(result);
  }
  return valueOf(body.getTerminator()->getOperand(0));
}

} // namespace daedalus::qnn
