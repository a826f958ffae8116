// See interpreter.h.

#include "interpreter.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/isa/semantics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>

namespace daedalus::testing {
namespace {

namespace arith = mlir::arith;
using mlir::Operation;
using mlir::Value;

[[noreturn]] void unknown(Operation *op) {
  llvm::errs() << "the interpreter does not know " << *op << "\n";
  std::abort();
}

unsigned bitsOf(mlir::Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

int64_t wrap(int64_t value, mlir::Type type) {
  const unsigned unused = 64 - bitsOf(type);
  return static_cast<int64_t>(static_cast<uint64_t>(value) << unused) >> unused;
}

uint64_t unsignedOf(int64_t value, mlir::Type type) {
  const unsigned unused = 64 - bitsOf(type);
  return static_cast<uint64_t>(value) << unused >> unused;
}

double floatOf(int64_t bits, mlir::Type type) {
  if (type.isF32())
    return llvm::bit_cast<float>(static_cast<uint32_t>(bits));
  return llvm::bit_cast<double>(bits);
}

/// Rounded to the type.
int64_t bitsOfFloat(double value, mlir::Type type) {
  if (type.isF32())
    return llvm::bit_cast<uint32_t>(static_cast<float>(value));
  return llvm::bit_cast<int64_t>(value);
}

int64_t elementOf(mlir::Attribute attribute) {
  if (auto integer = mlir::dyn_cast<mlir::IntegerAttr>(attribute))
    return integer.getType().isIndex() ? integer.getInt() : integer.getValue().getSExtValue();
  auto real = mlir::cast<mlir::FloatAttr>(attribute);
  return bitsOfFloat(real.getValueAsDouble(), real.getType());
}

using Point = llvm::SmallVector<int64_t, 8>;

/// Calls `visit` for each point of a box, the last coordinate first.
void forEachPoint(llvm::ArrayRef<int64_t> extents, const std::function<void(const Point &)> &visit) {
  Point point(extents.size(), 0);
  for (int64_t extent : extents)
    if (extent == 0)
      return;
  while (true) {
    visit(point);
    size_t d = extents.size();
    while (d > 0 && ++point[d - 1] == extents[d - 1])
      point[--d] = 0;
    if (d == 0)
      return;
  }
}

int64_t valueOf(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> point) {
  if (auto dim = mlir::dyn_cast<mlir::AffineDimExpr>(expr))
    return point[dim.getPosition()];
  if (auto constant = mlir::dyn_cast<mlir::AffineConstantExpr>(expr))
    return constant.getValue();
  auto binary = mlir::cast<mlir::AffineBinaryOpExpr>(expr);
  const int64_t a = valueOf(binary.getLHS(), point), b = valueOf(binary.getRHS(), point);
  switch (expr.getKind()) {
  case mlir::AffineExprKind::Add:
    return a + b;
  case mlir::AffineExprKind::Mul:
    return a * b;
  case mlir::AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(a, b);
  case mlir::AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(a, b);
  default:
    return llvm::mod(a, b);
  }
}

class Frame {
public:
  /// `garbage` stands for what a program must not depend on; `isDefined` becomes false where it does not even
  /// go on.
  Frame(int64_t garbage, bool &isDefined) : garbage(garbage), isDefined(isDefined) {}

  std::vector<TensorValue> run(mlir::func::FuncOp function, const std::vector<TensorValue> &arguments) {
    mlir::Block &body = function.getBody().front();
    for (auto [argument, value] : llvm::zip(body.getArguments(), arguments))
      tensors[argument] = value;
    execute(body);
    std::vector<TensorValue> results;
    for (Value result : body.getTerminator()->getOperands())
      results.push_back(tensors.at(result));
    return results;
  }

private:
  using Tensors = llvm::DenseMap<Value, TensorValue>;
  struct Map : Tensors {
    const TensorValue &at(Value value) const {
      const auto found = find(value);
      if (found == end()) {
        llvm::errs() << "the interpreter does not have the value " << value << "\n";
        std::abort();
      }
      return found->second;
    }
  };

  void execute(mlir::Block &body) {
    for (Operation &op : body.without_terminator())
      execute(op);
  }

  void execute(Operation &op) {
    if (auto linalg = mlir::dyn_cast<mlir::linalg::LinalgOp>(op))
      return loops(linalg);
    llvm::TypeSwitch<Operation *>(&op)
        .Case([&](arith::ConstantOp constant) { define(constant); })
        .Case([&](mlir::tensor::EmptyOp empty) { // whatever was there
          TensorValue value{empty.getType(), {}};
          value.elements.assign(empty.getType().getNumElements(),
                                wrap(garbage, empty.getType().getElementType()));
          tensors[empty] = value;
        })
        .Case<mlir::tensor::ExpandShapeOp, mlir::tensor::CollapseShapeOp>([&](auto view) {
          tensors[view] = TensorValue{mlir::cast<mlir::RankedTensorType>(view.getType()),
                                      tensors.at(view.getSrc()).elements};
        })
        .Case([&](mlir::tensor::CastOp cast) { tensors[cast] = TensorValue(tensors.at(cast.getSource())); })
        .Case([&](mlir::tensor::ConcatOp concat) { concatenated(concat); })
        .Case([&](mlir::scf::ForOp loop) { repeat(loop); })
        .Case([&](mlir::scf::IfOp choice) {
          mlir::Region &taken =
              scalarOf(choice.getCondition()) ? choice.getThenRegion() : choice.getElseRegion();
          execute(taken.front());
          pass(taken.front().getTerminator()->getOperands(), choice.getResults());
        })
        .Case([&](mlir::tensor::PadOp pad) { padded(pad); })
        .Case([&](mlir::tensor::InsertSliceOp insert) {
          TensorValue value = tensors.at(insert.getDest());
          const TensorValue &source = tensors.at(insert.getSource());
          slice(insert, source.type.getShape(), value.type.getShape(),
                [&](int64_t part, int64_t whole) { value.elements[whole] = source.elements[part]; });
          tensors[insert] = value;
        })
        .Case([&](mlir::tensor::ExtractSliceOp extract) {
          TensorValue value{extract.getType(), std::vector<int64_t>(extract.getType().getNumElements())};
          const TensorValue source = tensors.at(extract.getSource());
          slice(extract, value.type.getShape(), source.type.getShape(),
                [&](int64_t part, int64_t whole) { value.elements[part] = source.elements[whole]; });
          tensors[extract] = value;
        })
        .Case([&](mlir::func::CallOp call) {
          auto callee =
              call->getParentOfType<mlir::ModuleOp>().lookupSymbol<mlir::func::FuncOp>(call.getCallee());
          std::vector<TensorValue> arguments;
          for (Value operand : call.getOperands())
            arguments.push_back(tensors.at(operand));
          const std::vector<TensorValue> results = Frame(garbage, isDefined).run(callee, arguments);
          for (auto [result, value] : llvm::zip(call.getResults(), results))
            tensors[result] = value;
        })
        .Default([&](Operation *other) { onScalars(other); });
  }

  /// Values of one block become those of another; all at once.
  void pass(mlir::ValueRange from, mlir::ValueRange to) {
    llvm::SmallVector<TensorValue> passedTensors;
    llvm::SmallVector<int64_t> passedScalars;
    for (Value value : from)
      if (mlir::isa<mlir::TensorType>(value.getType()))
        passedTensors.push_back(tensors.at(value));
      else
        passedScalars.push_back(scalarOf(value));
    size_t tensor = 0, scalar = 0;
    for (Value value : to)
      if (mlir::isa<mlir::TensorType>(value.getType()))
        tensors[value] = passedTensors[tensor++];
      else
        scalars[value] = passedScalars[scalar++];
  }

  void repeat(mlir::scf::ForOp loop) {
    mlir::Block &body = *loop.getBody();
    pass(loop.getInitArgs(), loop.getRegionIterArgs());
    const int64_t upper = scalarOf(loop.getUpperBound()), step = scalarOf(loop.getStep());
    for (int64_t at = scalarOf(loop.getLowerBound()); at < upper; at += step) {
      scalars[loop.getInductionVar()] = at;
      execute(body);
      pass(body.getTerminator()->getOperands(), loop.getRegionIterArgs());
    }
    pass(loop.getRegionIterArgs(), loop.getResults());
  }

  void concatenated(mlir::tensor::ConcatOp concat) {
    TensorValue value{concat.getResultType(), {}};
    value.elements.resize(value.type.getNumElements());
    int64_t first = 0;
    for (Value input : concat.getInputs()) {
      const TensorValue &part = tensors.at(input);
      forEachPoint(part.type.getShape(), [&](const Point &point) {
        Point to = point;
        to[concat.getDim()] += first;
        value.elements[offsetOf(to, value.type.getShape())] =
            part.elements[offsetOf(point, part.type.getShape())];
      });
      first += part.type.getDimSize(concat.getDim());
    }
    tensors[concat] = value;
  }

  /// Of an element; the first one where the point lies outside.
  int64_t offsetOf(llvm::ArrayRef<int64_t> point, llvm::ArrayRef<int64_t> shape) {
    int64_t offset = 0;
    for (size_t d = 0; d < shape.size(); ++d) {
      if (point[d] < 0 || point[d] >= shape[d]) {
        isDefined = false;
        return 0;
      }
      offset = offset * shape[d] + point[d];
    }
    return offset;
  }

  /// What an operation gives outside of its domain; a processor may not even go on.
  int64_t undefined(bool goesOn) {
    isDefined &= goesOn;
    return garbage;
  }

  void define(arith::ConstantOp constant) {
    auto dense = mlir::dyn_cast<mlir::DenseElementsAttr>(constant.getValue());
    if (!dense) {
      scalars[constant] = elementOf(constant.getValue());
      return;
    }
    TensorValue value{mlir::cast<mlir::RankedTensorType>(constant.getType()), {}};
    for (mlir::Attribute element : dense.getValues<mlir::Attribute>())
      value.elements.push_back(elementOf(element));
    tensors[constant] = value;
  }

  void padded(mlir::tensor::PadOp pad) {
    const TensorValue source = tensors.at(pad.getSource());
    TensorValue value{mlir::cast<mlir::RankedTensorType>(pad.getType()), {}};
    forEachPoint(pad.getType().getShape(), [&](const Point &point) {
      Point from = point;
      bool isInside = true;
      for (size_t d = 0; d < from.size(); ++d) {
        from[d] -= pad.getStaticLow()[d];
        isInside &= from[d] >= 0 && from[d] < source.type.getShape()[d];
      }
      if (isInside) {
        value.elements.push_back(source.elements[offsetOf(from, source.type.getShape())]);
        return;
      }
      mlir::Block &body = pad.getRegion().front();
      for (auto [argument, coordinate] : llvm::zip(body.getArguments(), point))
        scalars[argument] = coordinate;
      value.elements.push_back(yielded(body)[0]);
    });
    tensors[pad] = value;
  }

  /// Calls `move` with the elements of a part and of the whole that belong together.
  template <class Op, class F>
  void slice(Op op, llvm::ArrayRef<int64_t> part, llvm::ArrayRef<int64_t> whole, F move) {
    const llvm::SmallBitVector dropped = op.getDroppedDims();
    Point offsets;
    for (size_t d = 0; d < whole.size(); ++d)
      offsets.push_back(op.isDynamicOffset(d) ? scalarOf(op.getDynamicOffset(d)) : op.getStaticOffset(d));
    forEachPoint(part, [&](const Point &point) {
      Point at;
      size_t next = 0;
      for (size_t d = 0; d < whole.size(); ++d)
        at.push_back(offsets[d] + (dropped[d] ? 0 : op.getStaticStrides()[d] * point[next++]));
      move(offsetOf(point, part), offsetOf(at, whole));
    });
  }

  void loops(mlir::linalg::LinalgOp op) {
    std::vector<TensorValue> outputs;
    for (Value init : op.getDpsInits())
      outputs.push_back(tensors.at(init));
    const auto maps = op.getIndexingMapsArray();
    mlir::Block &body = *op.getBlock();
    const auto ranges = op.getStaticLoopRanges();
    const auto kinds = op.getIteratorTypesArray();
    std::vector<std::vector<int64_t>> writers; // of each element, the parallel iteration that wrote it
    for (const TensorValue &output : outputs)
      writers.emplace_back(output.elements.size(), -1);
    forEachPoint(ranges, [&](const Point &point) {
      int64_t iteration = 0;
      for (size_t d = 0; d < ranges.size(); ++d)
        if (kinds[d] == mlir::utils::IteratorType::parallel)
          iteration = iteration * ranges[d] + point[d];
      std::vector<int64_t> written; // where each output stands
      for (mlir::OpOperand &operand : op->getOpOperands()) {
        const unsigned k = operand.getOperandNumber();
        // The body of linalg.map does not have what its output was.
        const Value argument = k < body.getNumArguments() ? body.getArgument(k) : Value();
        if (!mlir::isa<mlir::TensorType>(operand.get().getType())) {
          scalars[argument] = scalarOf(operand.get());
          continue;
        }
        Point at;
        for (mlir::AffineExpr expr : maps[k].getResults())
          at.push_back(valueOf(expr, point));
        const bool isOutput = op.isDpsInit(&operand);
        const TensorValue &value = isOutput ? outputs[written.size()] : tensors.at(operand.get());
        const int64_t offset = offsetOf(at, value.type.getShape());
        if (argument)
          scalars[argument] = value.elements[offset];
        if (isOutput)
          written.push_back(offset);
      }
      const std::vector<int64_t> results = yielded(body);
      for (size_t k = 0; k < results.size(); ++k) {
        int64_t &writer = writers[k][written[k]];
        isDefined &= writer == -1 || writer == iteration; // else they race
        writer = iteration;
        outputs[k].elements[written[k]] = results[k];
      }
    });
    for (auto [result, value] : llvm::zip(op->getResults(), outputs))
      tensors[result] = value;
  }

  std::vector<int64_t> yielded(mlir::Block &body) {
    for (Operation &op : body.without_terminator())
      onScalars(&op);
    std::vector<int64_t> results;
    for (Value value : body.getTerminator()->getOperands())
      results.push_back(scalarOf(value));
    return results;
  }

  int64_t scalarOf(Value value) {
    const auto found = scalars.find(value);
    if (found == scalars.end()) {
      llvm::errs() << "the interpreter does not have the scalar " << value << "\n";
      std::abort();
    }
    return found->second;
  }

  void onScalars(Operation *op) {
    if (auto constant = mlir::dyn_cast<arith::ConstantOp>(op))
      return define(constant);
    if (auto extract = mlir::dyn_cast<mlir::tensor::ExtractOp>(op)) {
      Point at;
      for (Value index : extract.getIndices())
        at.push_back(scalarOf(index));
      const TensorValue &from = tensors.at(extract.getTensor());
      bool isInside = true;
      for (auto [index, size] : llvm::zip(at, from.type.getShape()))
        isInside &= index >= 0 && index < size;
      scalars[extract] = isInside ? from.elements[offsetOf(at, from.type.getShape())] : undefined(false);
      return;
    }
    if (auto lookup = mlir::dyn_cast<qnn::LookupOp>(op)) {
      scalars[lookup] = tensors.at(lookup.getTable()).elements[scalarOf(lookup.getX()) + qnn::tableOrigin];
      return;
    }
    if (op->getNumResults() != 1)
      unknown(op);
    const mlir::Type type = op->getResult(0).getType();
    std::vector<int64_t> x;
    for (Value operand : op->getOperands())
      x.push_back(scalarOf(operand));
    const int64_t value = scalar(op, x);
    scalars[op->getResult(0)] = mlir::isa<mlir::FloatType>(type) ? value : wrap(value, type);
  }

  int64_t scalar(Operation *op, const std::vector<int64_t> &x) {
    const auto u = [&](unsigned k) { return unsignedOf(x[k], op->getOperand(k).getType()); };
    const mlir::Type type = op->getResult(0).getType();
    const auto f = [&](unsigned k) { return floatOf(x[k], op->getOperand(k).getType()); };
    const auto real = [&](double value) { return bitsOfFloat(value, type); };
    const auto shifts = [&] { return u(1) < bitsOf(type); };
    const auto divides = [&] {
      return x[1] != 0 && !(x[1] == -1 && x[0] == std::numeric_limits<int64_t>::min() >> (64 - bitsOf(type)));
    };
    return llvm::TypeSwitch<Operation *, int64_t>(op)
        .Case([&](arith::AddIOp) { return int64_t(uint64_t(x[0]) + uint64_t(x[1])); })
        .Case([&](arith::SubIOp) { return int64_t(uint64_t(x[0]) - uint64_t(x[1])); })
        .Case([&](arith::MulIOp) { return int64_t(uint64_t(x[0]) * uint64_t(x[1])); })
        .Case([&](arith::MaxSIOp) { return std::max(x[0], x[1]); })
        .Case([&](arith::MinSIOp) { return std::min(x[0], x[1]); })
        .Case([&](arith::MaxUIOp) { return int64_t(std::max(u(0), u(1))); })
        .Case([&](arith::MinUIOp) { return int64_t(std::min(u(0), u(1))); })
        .Case([&](arith::DivSIOp) { return divides() ? x[0] / x[1] : undefined(false); })
        .Case([&](arith::AndIOp) { return x[0] & x[1]; })
        .Case([&](arith::OrIOp) { return x[0] | x[1]; })
        .Case([&](arith::XOrIOp) { return x[0] ^ x[1]; })
        .Case([&](arith::ShLIOp) { return shifts() ? int64_t(uint64_t(x[0]) << u(1)) : undefined(true); })
        .Case([&](arith::ShRSIOp) { return shifts() ? x[0] >> u(1) : undefined(true); })
        .Case([&](arith::ShRUIOp) { return shifts() ? int64_t(u(0) >> u(1)) : undefined(true); })
        .Case<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp>([&](auto) { return x[0]; })
        .Case<arith::ExtUIOp, arith::IndexCastUIOp>([&](auto) { return int64_t(u(0)); })
        .Case([&](arith::SelectOp) { return x[0] ? x[1] : x[2]; })
        .Case([&](arith::CmpIOp compare) {
          return int64_t(holds(compare.getPredicate(), x[0], x[1], u(0), u(1)));
        })
        .Case([&](arith::SIToFPOp) { return real(static_cast<double>(x[0])); })
        .Case([&](arith::FPToSIOp) { return static_cast<int64_t>(f(0)); })
        .Case([&](arith::AddFOp) { return real(f(0) + f(1)); })
        .Case([&](arith::SubFOp) { return real(f(0) - f(1)); })
        .Case([&](arith::MulFOp) { return real(f(0) * f(1)); })
        .Case([&](arith::DivFOp) { return real(f(0) / f(1)); })
        .Case([&](arith::MaxNumFOp) { return real(std::fmax(f(0), f(1))); })
        .Case([&](arith::MinNumFOp) { return real(std::fmin(f(0), f(1))); })
        .Case([&](mlir::math::RoundEvenOp) { return real(std::nearbyint(f(0))); })
        .Case<arith::ExtFOp, arith::TruncFOp>([&](auto) { return real(f(0)); })
        .Case([&](mlir::tosa::ApplyScaleOp scale) {
          return applyScale(x[0], x[1], x[2], scale.getDoubleRound());
        })
        .Case([&](qnn::RequantizeOp requant) {
          if (x[2] < 0 || x[3] < 1 || x[3] > 62)
            return undefined(true);
          return int64_t(isa::requantize(
              static_cast<int32_t>(x[0]), static_cast<int32_t>(x[1]), static_cast<int32_t>(x[2]),
              static_cast<uint8_t>(x[3]), requant.getZeroPointAttr().getValue().getSExtValue(),
              requant.getLoAttr().getValue().getSExtValue(), requant.getHiAttr().getValue().getSExtValue(),
              static_cast<isa::Rounding>(requant.getRounding())));
        })
        .Default([&](Operation *other) -> int64_t { unknown(other); });
  }

  /// TOSA 0.60, apply_scale_32.
  static int64_t applyScale(int64_t value, int64_t multiplier, int64_t shift, bool doubleRound) {
    int64_t round = int64_t(1) << (shift - 1);
    if (doubleRound && shift > 31)
      round += value >= 0 ? int64_t(1) << 30 : -(int64_t(1) << 30);
    return (value * multiplier + round) >> shift;
  }

  static bool holds(arith::CmpIPredicate predicate, int64_t a, int64_t b, uint64_t ua, uint64_t ub) {
    switch (predicate) {
    case arith::CmpIPredicate::eq:
      return a == b;
    case arith::CmpIPredicate::ne:
      return a != b;
    case arith::CmpIPredicate::slt:
      return a < b;
    case arith::CmpIPredicate::sle:
      return a <= b;
    case arith::CmpIPredicate::sgt:
      return a > b;
    case arith::CmpIPredicate::sge:
      return a >= b;
    case arith::CmpIPredicate::ult:
      return ua < ub;
    case arith::CmpIPredicate::ule:
      return ua <= ub;
    case arith::CmpIPredicate::ugt:
      return ua > ub;
    case arith::CmpIPredicate::uge:
      return ua >= ub;
    }
    return false;
  }

  Map tensors;
  llvm::DenseMap<Value, int64_t> scalars;
  const int64_t garbage;
  bool &isDefined;
};

/// Of both signs in each width.
constexpr int64_t someGarbage = 0x5a5a5a5a5a5a5a5a, otherGarbage = 0x2b1ccd8e0f71a643,
                  lessGarbage = -0x5a5a5a5a5a5a5a5a;

} // namespace

std::vector<TensorValue> interpret(mlir::func::FuncOp function, const std::vector<TensorValue> &arguments) {
  bool isDefined = true;
  std::vector<TensorValue> results = Frame(someGarbage, isDefined).run(function, arguments);
  if (!isDefined) {
    llvm::errs()
        << "the interpreter is led outside of a tensor, to a race, or to a division without a result\n";
    std::abort();
  }
  return results;
}

bool isDefined(mlir::func::FuncOp function, const std::vector<TensorValue> &arguments) {
  bool isDefined = true;
  const auto some = Frame(someGarbage, isDefined).run(function, arguments);
  const auto isSame = [](const auto &pair) {
    return std::get<0>(pair).elements == std::get<1>(pair).elements;
  };
  return isDefined && llvm::all_of(std::array{otherGarbage, lessGarbage}, [&](int64_t garbage) {
           return llvm::all_of(llvm::zip(some, Frame(garbage, isDefined).run(function, arguments)), isSame);
         });
}

TensorValue tensorOf(mlir::RankedTensorType type, const std::vector<int8_t> &bytes) {
  return {type, {bytes.begin(), bytes.end()}};
}

} // namespace daedalus::testing
