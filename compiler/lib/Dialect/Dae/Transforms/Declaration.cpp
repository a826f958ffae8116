// See Declaration.h.

#include "Declaration.h"
#include "Packing.h"

#include "daedalus/Analysis/Body.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace daedalus::dae {
namespace {

using mlir::failure;
using mlir::FailureOr;
using mlir::LogicalResult;
using mlir::success;
using mlir::Value;
using Place = IntrinsicStep::Place;

class Reader {
public:
  explicit Reader(IntrinsicOp op) : op(op), result{op.getSymName().str(), op.getLoc()} {}

  FailureOr<Declaration> read() {
    mlir::Block &body = op.getBody().front();
    if (!body.empty())
      description = mlir::dyn_cast<mlir::linalg::GenericOp>(body.front());
    if (!description)
      return op.emitOpError("expects a linalg.generic first: what an element of a row is");
    if (failed(readOperands()) || failed(readElement()) || failed(readCombiner()) || failed(readSteps()))
      return failure();
    return std::move(result);
  }

private:
  LogicalResult readOperands() {
    if (description->getNumResults() || description.getOutputs().size() != 1)
      return description.emitOpError("expects rows, one of which it writes");
    const auto maps = description.getIndexingMapsArray();
    for (auto [value, map] : llvm::zip(description->getOperands(), maps)) {
      auto argument = mlir::dyn_cast<mlir::BlockArgument>(value);
      if (!argument || argument.getOwner() != &op.getBody().front())
        return description.emitOpError("expects the intrinsic's arguments as its operands");
      if (!numbers.try_emplace(value, numbers.size()).second)
        return description.emitOpError("has an argument twice");
      DeclaredOperand operand;
      operand.name = "argument " + std::to_string(argument.getArgNumber());
      if (failed(readType(argument, operand)) || failed(readLanes(map, operand)) ||
          failed(readPacking(argument, operand)))
        return failure();
      result.operands.push_back(std::move(operand));
    }
    if (numbers.size() != op.getBody().getNumArguments())
      return op.emitOpError("has an argument that its description does not use");
    return checkLanes(maps.back());
  }

  LogicalResult readType(mlir::BlockArgument argument, DeclaredOperand &operand) {
    const mlir::Type type = argument.getType();
    if (type.isSignlessInteger(32) && argument != description.getOutputs()[0])
      return readScalar(argument, operand);
    auto row = mlir::dyn_cast<mlir::MemRefType>(type);
    const auto wrong = [&](const llvm::Twine &expected) {
      return op.emitOpError("has the argument ")
             << argument.getArgNumber() << " of type " << type << "; expected " << expected;
    };
    if (!row || !row.getLayout().isIdentity())
      return wrong("a memref of a row, or an i32");
    const bool isBytes = row.getElementType().isSignlessInteger(8);
    operand.bits = row.getElementType().isIntOrFloat() ? row.getElementTypeBitWidth() : 0;
    if (auto widened = mlir::dyn_cast_or_null<WidenedAttr>(row.getMemorySpace())) {
      operand.isWidened = true;
      operand.scopes.assign(widened.getScopes().begin(), widened.getScopes().end());
      operand.mayBeImmediate = widened.getImmediate();
      return row.getElementType().isSignlessInteger(32) && isRow(row, 1)
                 ? success()
                 : wrong("memref<?xi32> of such values");
    }
    auto scope = mlir::dyn_cast_or_null<ScopeAttr>(row.getMemorySpace());
    if (!scope)
      return wrong("a #dae.scope or #dae.widened as its memory space");
    operand.scopes = {scope.getValue()};
    switch (scope.getValue()) {
    case Scope::Inp:
      return isBytes && (isRow(row, 1) || isRow(row, 2))
                 ? success()
                 : wrong("memref<?xi8>, or memref<?x?xi8> of the taps of a window");
    case Scope::Wgt:
      return isBytes && isRow(row, 2) ? success() : wrong("memref<?x?xi8>");
    case Scope::Acc:
      return row.getElementType().isSignlessInteger(32) && isRow(row, 1) ? success() : wrong("memref<?xi32>");
    case Scope::Param:
      return (isBytes || row.getElementType().isSignlessInteger(128)) && isRow(row, 1)
                 ? success()
                 : wrong("memref<?xi8> or memref<?xi128>");
    case Scope::Lut:
      return isBytes && row.getShape() == llvm::ArrayRef<int64_t>{256} ? success() : wrong("memref<256xi8>");
    case Scope::Out:
      return (isBytes || row.getElementType().isSignlessInteger(32)) && isRow(row, 1)
                 ? success()
                 : wrong("memref<?xi8> or memref<?xi32>");
    }
    return failure();
  }

  static bool isRow(mlir::MemRefType type, size_t rank) {
    return size_t(type.getRank()) == rank && llvm::all_of(type.getShape(), mlir::ShapedType::isDynamic);
  }

  LogicalResult readScalar(mlir::BlockArgument argument, DeclaredOperand &operand) {
    operand.isScalar = true;
    operand.bits = 32;
    operand.low = leastOf(32), operand.high = greatestOf(32);
    const mlir::Attribute given = op.getArgAttr(argument.getArgNumber(), "dae.range");
    if (!given)
      return success();
    auto range = mlir::dyn_cast<RangeAttr>(given);
    if (!range || range.getLow() < operand.low || range.getHigh() > operand.high)
      return op.emitOpError("has dae.range = ") << given << "; expected a #dae.range of int32";
    operand.low = range.getLow(), operand.high = range.getHigh();
    return success();
  }

  LogicalResult readLanes(mlir::AffineMap map, DeclaredOperand &operand) {
    if (llvm::is_contained(operand.scopes, Scope::Lut))
      return map.getResult(0) == mlir::getAffineConstantExpr(0, map.getContext())
                 ? success()
                 : description.emitOpError("reads a table elsewhere than at its first entry, which names it");
    for (mlir::AffineExpr expr : map.getResults()) {
      auto dim = mlir::dyn_cast<mlir::AffineDimExpr>(expr);
      if (!dim || llvm::is_contained(operand.lanes, dim.getPosition()))
        return description.emitOpError("has an indexing map other than of different iterators");
      operand.lanes.push_back(dim.getPosition());
    }
    return success();
  }

  /// Rows of one instruction: a lane is the same number in all of them, GEMM's aside.
  LogicalResult checkLanes(mlir::AffineMap written) {
    for (auto [loop, kind] : llvm::enumerate(description.getIteratorTypesArray()))
      if (written.isFunctionOfDim(loop) != (kind == mlir::utils::IteratorType::parallel))
        return description.emitOpError("has a parallel iterator that its output does not move along, or a "
                                       "reduction that it does");
    if (!op.getBody().getOps<GemmOp>().empty())
      return checkWindow(); // else its scopes leave no other choice than the one that is run
    for (const DeclaredOperand &operand : result.operands)
      if (!operand.isScalar && !operand.lanes.empty() && operand.lanes != llvm::SmallVector<unsigned, 2>{0})
        return description.emitOpError("expects rows along its first iterator");
    if (description.getNumLoops() != 1)
      return description.emitOpError("has ")
             << description.getNumLoops() << " iterators; expected the lanes of a row";
    return success();
  }

  /// Of a window, a lane of each tap is multiplied by the weight of that tap in the same lane's row.
  LogicalResult checkWindow() {
    using Lanes = llvm::SmallVector<unsigned, 2>;
    for (const DeclaredOperand &operand : result.operands) {
      const bool isTile = !operand.isScalar && operand.lanes.size() == 2;
      const bool ofTaps = isTile && operand.scopes.front() == Scope::Inp;
      if (ofTaps && (&operand != &result.operands.front() || result.operands.size() != 3 ||
                     operand.lanes != Lanes{1, 0} || result.operands[1].lanes != Lanes{0, 1} ||
                     result.operands[2].lanes != Lanes{0}))
        return description.emitOpError(
            "has rows of taps; expected [tap][lane] of INP and [lane][tap] of WGT, "
            "which give [lane] of ACC");
    }
    return success();
  }

  LogicalResult readPacking(mlir::BlockArgument argument, DeclaredOperand &operand) {
    const mlir::Attribute given = op.getArgAttr(argument.getArgNumber(), "dae.pack");
    if (!given)
      return success();
    auto name = mlir::dyn_cast<mlir::FlatSymbolRefAttr>(given);
    auto function = name ? mlir::SymbolTable::lookupNearestSymbolFrom<mlir::func::FuncOp>(op, name)
                         : mlir::func::FuncOp();
    if (!function)
      return op.emitOpError("has dae.pack = ") << given << ", which names no function";
    if (operand.isScalar || operand.isWidened || argument == description.getOutputs()[0])
      return op.emitOpError("packs argument ") << argument.getArgNumber() << "; expected a row in one scope";
    FailureOr<Packing> packing = readPackingFunction(function, operand.bits);
    if (failed(packing))
      return failure();
    operand.packing = std::make_shared<const Packing>(std::move(*packing));
    return success();
  }

  LogicalResult readElement() {
    mlir::Block &body = *description.getBody();
    const std::optional<ExprId> read =
        expressionOf(body.getTerminator()->getOperand(0), body, result.expressions);
    if (!read)
      return description.emitOpError("has a body that is not an expression of at most 1024 operations");
    result.element = *read;
    FailureOr<ScalarFunction> function = ScalarFunction::read(body);
    if (failed(function))
      return failure();
    result.body = std::move(*function);
    for (mlir::utils::IteratorType kind : description.getIteratorTypesArray())
      result.parallel.push_back(kind == mlir::utils::IteratorType::parallel);
    unsigned requants = 0;
    body.walk([&](qnn::RequantizeOp) { ++requants; });
    result.requantizes = requants == 1;
    return requants <= 1 ? success() : description.emitOpError("requantizes more than once");
  }

  /// Old destinations are joined with what is new by one of three operations.
  LogicalResult readCombiner() {
    Expressions &all = result.expressions;
    const unsigned number = result.destination();
    const std::map<unsigned, Expr> arguments = all.argumentsOf(result.element);
    const std::optional<uint32_t> neutral = op.getNeutral();
    if (!arguments.count(number))
      return neutral ? op.emitOpError("has a neutral value, but does not read its destination") : success();
    const ExprId old = all.argument(number, arguments.at(number).bits, arguments.at(number).detail);
    const Expr root = all[result.element];
    ExprId rest = old;
    if (root.kind == ExprKind::Sum) {
      rest = all.subtract(result.element, old);
      result.combiner = Combiner::Add;
    } else if ((root.kind == ExprKind::Max || root.kind == ExprKind::Min) &&
               llvm::is_contained(root.operands, old)) {
      const bool isMax = root.kind == ExprKind::Max;
      result.combiner = isMax ? Combiner::Max : Combiner::Min;
      bool isFirst = true;
      for (ExprId operand : root.operands)
        if (operand != old) {
          rest = isFirst ? operand : isMax ? all.max(rest, operand) : all.min(rest, operand);
          isFirst = false;
        }
    }
    if (result.combiner == Combiner::None || all.argumentsOf(rest).count(number))
      return description.emitOpError(
                 "reads what its destination was otherwise than in old + x, max(old, x) or "
                 "min(old, x): ")
             << all.text(result.element);
    if (!neutral)
      return op.emitOpError("reads what its destination was and has no neutral value, with which the first "
                            "element of a reduction is joined");
    result.neutral = static_cast<int32_t>(*neutral);
    const bool leaves = result.combiner == Combiner::Add   ? result.neutral == 0
                        : result.combiner == Combiner::Max ? result.neutral <= all[rest].low
                                                           : result.neutral >= all[rest].high;
    return leaves ? success()
                  : op.emitOpError("has the neutral value ")
                        << result.neutral << ", which changes what it is joined with";
  }

  LogicalResult readSteps() {
    for (mlir::Operation &next : llvm::drop_begin(op.getBody().front())) {
      const LogicalResult read =
          llvm::TypeSwitch<mlir::Operation *, LogicalResult>(&next)
              .Case([&](AllocOp alloc) { return readTemporary(alloc); })
              .Case([&](GemmOp gemm) { return readGemm(gemm); })
              .Case([&](VectorOp vector) { return readVector(vector); })
              .Default([&](mlir::Operation *other) {
                return other->emitOpError(
                    "is not part of an implementation; expected dae.vector, dae.gemm or "
                    "dae.alloc");
              });
      if (failed(read))
        return failure();
    }
    if (result.steps.empty())
      return op.emitOpError("has no implementation; expected dae.vector or dae.gemm behind its description");
    constexpr size_t most = 16;
    if (result.steps.size() > most)
      return op.emitOpError("has an implementation of ")
             << result.steps.size() << " instructions; expected " << most << " at most";
    if (!isDestination(result.steps.back().dest))
      return op.emitOpError("has an implementation whose last instruction does not write the destination");
    if (result.steps.size() > 1 &&
        llvm::any_of(result.steps, [](const IntrinsicStep &step) { return step.isWindow; }))
      return op.emitOpError("has rows of taps and ")
             << result.steps.size() << " instructions; expected dae.gemm alone";
    if (result.combiner != Combiner::None && result.steps.size() > 1)
      return op.emitOpError("reads what its destination was and has ")
             << result.steps.size() << " instructions; within a reduction there can only be one";
    return success();
  }

  bool isDestination(Place place) const {
    return place.kind == Place::Operand && place.value == result.destination();
  }

  LogicalResult readTemporary(AllocOp alloc) {
    auto type = mlir::cast<mlir::MemRefType>(alloc.getBuffer().getType());
    if (alloc.getScope() != Scope::Acc || !type.getElementType().isSignlessInteger(32) || !isRow(type, 1))
      return alloc.emitOpError("is ")
             << type << "; expected memref<?xi32, #dae.scope<acc>> in an implementation";
    temporaries.try_emplace(alloc.getBuffer(), temporaries.size());
    result.temporaries = temporaries.size();
    return success();
  }

  template <class Instruction> LogicalResult expectPlain(Instruction step) {
    if (!step.getWaits().empty() || !step.getLoops().empty() || step.getAccumulate() || step.getWait() ||
        step.getSignal() || llvm::any_of(step.getRows(), [](int64_t row) { return row != 0; }))
      return step.emitOpError(
          "has loops, rows, tokens or accumulate in an implementation, which computes a row");
    return success();
  }

  LogicalResult readGemm(GemmOp gemm) {
    IntrinsicStep step;
    step.isGemm = true;
    step.isWindow = mlir::cast<mlir::MemRefType>(gemm.getInp().getType()).getRank() == 2;
    return failed(expectPlain(gemm)) || failed(source(gemm, gemm.getInp(), step.a)) ||
                   failed(source(gemm, gemm.getWgt(), step.b)) ||
                   failed(destination(gemm, gemm.getAcc(), step.dest))
               ? failure()
               : add(step);
  }

  LogicalResult readVector(VectorOp vector) {
    for (Value row : {vector.getA(), vector.getB()})
      if (auto type = row ? mlir::dyn_cast<mlir::MemRefType>(row.getType()) : nullptr;
          type && type.getRank() == 2)
        return vector.emitOpError("has the operand ") << type << ", which only GEMM reads";
    IntrinsicStep step;
    step.op = vector.getOp();
    if (failed(expectPlain(vector)) || failed(source(vector, vector.getA(), step.a)) ||
        failed(source(vector, vector.getB(), step.b)) ||
        failed(source(vector, vector.getTable(), step.table)) ||
        failed(destination(vector, vector.getDest(), step.dest)))
      return failure();
    if (vector.getImmediate())
      (vector.getA() ? step.b : step.a) = {Place::Constant, static_cast<int64_t>(*vector.getImmediate())};
    const auto signedOf = [](uint64_t value) { return static_cast<int64_t>(value); };
    step.lo = {Place::Constant, signedOf(vector.getLo())};
    step.hi = {Place::Constant, signedOf(vector.getHi())};
    step.zeroPoint = {Place::Constant, signedOf(vector.getZeroPoint())};
    step.rounding = {Place::Constant, int64_t(vector.getRounding().value_or(qnn::Rounding::HalfEven))};
    return add(step);
  }

  LogicalResult add(const IntrinsicStep &step) {
    result.steps.push_back(step);
    return success();
  }

  LogicalResult source(mlir::Operation *step, Value value, Place &place) {
    if (!value)
      return success();
    if (const auto temporary = temporaries.find(value); temporary != temporaries.end()) {
      place = {Place::Temporary, temporary->second};
      return written.contains(value) ? success() : step->emitOpError("reads rows that no instruction wrote");
    }
    const auto operand = numbers.find(value);
    if (operand == numbers.end())
      return step->emitOpError("has an operand that is neither an argument nor a dae.alloc");
    if (operand->second == result.destination())
      return step->emitOpError("reads the destination; only what it computes goes there");
    place = {Place::Operand, operand->second};
    return success();
  }

  LogicalResult destination(mlir::Operation *step, Value value, Place &place) {
    if (const auto temporary = temporaries.find(value); temporary != temporaries.end()) {
      place = {Place::Temporary, temporary->second};
      written.insert(value);
      return success();
    }
    const auto operand = numbers.find(value);
    if (operand == numbers.end() || operand->second != result.destination())
      return step->emitOpError("writes neither the destination nor a dae.alloc");
    if (!result.steps.empty() && isDestination(result.steps.back().dest))
      return step->emitOpError("writes the destination again");
    place = {Place::Operand, operand->second};
    return success();
  }

  IntrinsicOp op;
  mlir::linalg::GenericOp description;
  llvm::DenseMap<Value, unsigned> numbers, temporaries;
  llvm::DenseSet<Value> written;
  Declaration result;
};

} // namespace

FailureOr<Declaration> readDeclaration(IntrinsicOp op) {
  return Reader(op).read();
}

} // namespace daedalus::dae
