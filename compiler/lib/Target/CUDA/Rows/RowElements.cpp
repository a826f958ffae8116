// See RowElements.h.

#include "RowElements.h"

#include "Device/AlignedVectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <limits>

using namespace mlir;

namespace daedalus::cuda {
namespace {

Value index(int64_t value, OpBuilder &b, Location loc) {
  return b.create<arith::ConstantIndexOp>(loc, value);
}

Type elementOf(Value value) {
  return getElementTypeOrSelf(value.getType());
}

Value zero(Type type, OpBuilder &b, Location loc) {
  return b.create<arith::ConstantOp>(loc, b.getZeroAttr(type));
}

/// Whether an operand's value is of no use: that of a result which is overwritten.
bool isUnused(const Step &step, OpOperand &operand) {
  return &operand == &step.result() && !step.op.payloadUsesValueFromOperand(&operand);
}

} // namespace

Values RowElements::ofStep(const Step &step, ValueRange at) const {
  Values values;
  for (unsigned loop : step.loops)
    values.push_back(at[loop]);
  return values;
}

/// Indices are computed in 32 bits, where those suffice.
Values RowElements::columnsAt(Value base) {
  Values at = row;
  Location loc = base.getLoc();
  OpBuilder &b = f.b;
  const bool isShort = chain.columns <= std::numeric_limits<int32_t>::max();
  const Type type = isShort ? Type(b.getI32Type()) : b.getIndexType();
  const auto cast = [&](Value value, Type to) -> Value {
    return value.getType() == to ? value : b.create<arith::IndexCastUIOp>(loc, to, value).getResult();
  };
  Value rest = base;
  for (unsigned loop : llvm::reverse(chain.columnLoops)) {
    if (loop == chain.columnLoops.front()) {
      at[loop] = cast(rest, b.getIndexType());
      break;
    }
    rest = cast(rest, type);
    Value size = b.create<arith::ConstantOp>(loc, b.getIntegerAttr(type, chain.sizes[loop]));
    at[loop] = cast(b.createOrFold<arith::RemUIOp>(loc, rest, size), b.getIndexType());
    rest = b.createOrFold<arith::DivUIOp>(loc, rest, size);
  }
  return at;
}

bool RowElements::isFlat(const Step &step, OpOperand &operand) const {
  const AffineMap map = mapOf(step, operand);
  auto type = cast<MemRefType>(operand.get().getType());
  if (chain.rows != 1 || !type.getLayout().isIdentity() || map.getNumResults() != chain.columnLoops.size())
    return false;
  for (auto [result, loop] : llvm::zip(map.getResults(), chain.columnLoops))
    if (result != getAffineDimExpr(loop, map.getContext()))
      return false;
  return true;
}

std::pair<Value, Values> RowElements::placeOf(const Step &step, OpOperand &operand, ValueRange at) {
  Location loc = step.op.getLoc();
  Value buffer = f(operand.get());
  const int64_t rank = cast<MemRefType>(buffer.getType()).getRank();
  if (rank < 2 || !isFlat(step, operand))
    return {buffer, indicesOf(step.op.getMatchingIndexingMap(&operand), ofStep(step, at), f.b, loc)};
  const SmallVector<ReassociationIndices> all = {llvm::to_vector(llvm::seq<int64_t>(0, rank))};
  return {f.b.create<memref::CollapseShapeOp>(loc, buffer, all), {linear}};
}

Values RowElements::shifted(ValueRange at, int64_t by) {
  Values result(at);
  Value &inner = result[chain.columnLoops.back()];
  if (by)
    inner = f.b.create<arith::AddIOp>(inner.getLoc(), inner, index(by, f.b, inner.getLoc()));
  return result;
}

Values RowElements::load(const Step &step, OpOperand &operand, ValueRange at) {
  const bool isSame = !mapOf(step, operand).isFunctionOfDim(chain.columnLoops.back());
  Location loc = step.op.getLoc();
  const auto [buffer, indices] = placeOf(step, operand, at);
  if (schedule.vector == 1 || isSame)
    return Values(schedule.vector, f.b.create<memref::LoadOp>(loc, buffer, indices));
  const auto type = VectorType::get({schedule.vector}, elementOf(operand.get()));
  auto all = f.b.create<vector::LoadOp>(loc, type, buffer, indices);
  all->setAttr(alignedAttribute, f.b.getUnitAttr());
  Values values;
  for (int64_t element = 0; element < schedule.vector; ++element)
    values.push_back(f.b.create<vector::ExtractOp>(loc, all, element));
  return values;
}

void RowElements::store(const Step &step, const Values &values, ValueRange at) {
  Location loc = step.op.getLoc();
  const auto [buffer, indices] = placeOf(step, step.result(), at);
  if (schedule.vector == 1) {
    f.b.create<memref::StoreOp>(loc, values.front(), buffer, indices);
    return;
  }
  const auto type = VectorType::get({schedule.vector}, elementOf(step.result().get()));
  Value all = zero(type, f.b, loc);
  for (auto [element, value] : llvm::enumerate(values))
    all = f.b.create<vector::InsertOp>(loc, value, all, static_cast<int64_t>(element));
  auto made = f.b.create<vector::StoreOp>(loc, all, buffer, indices);
  made->setAttr(alignedAttribute, f.b.getUnitAttr());
}

Value RowElements::numberOf(const Step &step, OpOperand &operand, int producer) {
  if (isUnused(step, operand))
    return zero(elementOf(operand.get()), f.b, step.op.getLoc());
  if (producer >= 0)
    return numbers[producer];
  Value &loaded = loadedNumbers[{operand.get(), mapOf(step, operand)}];
  if (!loaded)
    loaded = loadElement(step.op, operand, ofStep(step, row), f);
  return loaded;
}

Values RowElements::valuesOf(const Step &step, OpOperand &operand, int producer, Elements &elements,
                             ValueRange at) {
  const AffineMap map = mapOf(step, operand);
  if (isUnused(step, operand) || !chain.hasColumns(map))
    return Values(schedule.vector, numberOf(step, operand, producer));
  if (producer >= 0)
    if (const auto found = elements.made.find(producer); found != elements.made.end())
      return found->second;
  const Place place{operand.get(), map};
  if (const auto found = elements.loaded.find(place); producer < 0 && found != elements.loaded.end())
    return found->second;
  Values values = load(step, operand, at);
  if (producer < 0)
    elements.loaded[place] = values;
  return values;
}

Value RowElements::computeNumber(const Step &step) {
  Values arguments;
  for (auto [operand, producer] : llvm::zip(step.op->getOpOperands(), step.producers))
    arguments.push_back(numberOf(step, operand, producer));
  return computeBody(step.op, arguments, ofStep(step, row), f);
}

void RowElements::storeNumber(const Step &step, Value value) {
  storeElement(step.op, value, ofStep(step, row), f);
}

void RowElements::loadNumbers(int pass) {
  for (const Step &step : chain.steps)
    for (auto [operand, producer] : llvm::zip(step.op->getOpOperands(), step.producers))
      if (step.pass == pass && producer < 0 && &operand != &step.result() &&
          !chain.hasColumns(mapOf(step, operand)))
        (void)numberOf(step, operand, producer);
}

bool RowElements::isNeededBehind(unsigned number, int pass) const {
  return llvm::any_of(chain.steps, [&](const Step &step) {
    return step.pass > pass && llvm::is_contained(step.producers, static_cast<int>(number));
  });
}

SmallVector<Place> RowElements::loadsFor(int pass, const Elements &elements) const {
  llvm::SetVector<Place> now, behind;
  for (const Step &step : chain.steps)
    for (auto [operand, producer] : llvm::zip(step.op->getOpOperands(), step.producers))
      if (const Place place{operand.get(), mapOf(step, operand)};
          producer < 0 && !isUnused(step, operand) && chain.hasColumns(place.second) && step.pass >= pass)
        (step.pass == pass ? now : behind).insert(place);
  SmallVector<Place> places;
  for (const Place &place : now)
    if (behind.contains(place) && !elements.loaded.contains(place))
      places.push_back(place);
  return places;
}

Values RowElements::compute(int pass, Elements &elements, Value base, Values reductions) {
  const Values at = columnsAt(base);
  linear = base;
  size_t reduction = 0;
  for (auto [number, step] : llvm::enumerate(chain.steps)) {
    if (step.pass != pass || step.kind == Step::Kind::Number)
      continue;
    SmallVector<Values> arguments;
    for (auto [operand, producer] : llvm::zip(step.op->getOpOperands(), step.producers))
      if (step.kind != Step::Kind::Reduction || &operand != &step.result())
        arguments.push_back(valuesOf(step, operand, producer, elements, at));
    Values results;
    for (int64_t element = 0; element < schedule.vector; ++element) {
      Values its;
      for (const Values &argument : arguments)
        its.push_back(argument[element]);
      if (step.kind == Step::Kind::Reduction)
        its.push_back(reductions[reduction]);
      results.push_back(computeBody(step.op, its, ofStep(step, shifted(at, element)), f));
      if (step.kind == Step::Kind::Reduction)
        reductions[reduction] = results.back();
    }
    reduction += step.kind == Step::Kind::Reduction;
    if (step.kind == Step::Kind::Reduction)
      continue;
    elements.made[number] = results;
    if (step.isStored || (!schedule.keeps && isNeededBehind(number, pass)))
      store(step, results, at);
  }
  return reductions;
}

Values RowElements::compute(int pass, Elements &elements, Value base, Value isInside,
                            const Values &reductions) {
  if (!isInside)
    return compute(pass, elements, base, reductions);
  Location loc = base.getLoc();
  SmallVector<unsigned> made;
  for (auto [number, step] : llvm::enumerate(chain.steps))
    if (schedule.keeps && step.pass == pass && step.kind == Step::Kind::Elements &&
        isNeededBehind(number, pass))
      made.push_back(number);
  const SmallVector<Place> loads = schedule.keeps ? loadsFor(pass, elements) : SmallVector<Place>();
  Values otherwise = reductions;
  for (unsigned number : made)
    otherwise.append(schedule.vector, zero(elementOf(chain.steps[number].result().get()), f.b, loc));
  for (const Place &place : loads)
    otherwise.append(schedule.vector, zero(elementOf(place.first), f.b, loc));
  auto inside = f.b.create<scf::IfOp>(loc, ValueRange(otherwise).getTypes(), isInside, /*withElse=*/true);
  {
    OpBuilder::InsertionGuard guard(f.b);
    f.b.setInsertionPointToStart(inside.elseBlock());
    if (!otherwise.empty()) // else the blocks end already
      f.b.create<scf::YieldOp>(loc, otherwise);
    f.b.setInsertionPointToStart(inside.thenBlock());
    Elements all = elements;
    Values results = compute(pass, all, base, reductions);
    for (unsigned number : made)
      results.append(all.made[number]);
    for (const Place &place : loads)
      results.append(all.loaded[place]);
    if (!results.empty())
      f.b.create<scf::YieldOp>(loc, results);
  }
  ValueRange results = inside.getResults();
  const Values reduced(results.take_front(reductions.size()));
  results = results.drop_front(reductions.size());
  for (unsigned number : made)
    elements.made[number] =
        Values(std::exchange(results, results.drop_front(schedule.vector)).take_front(schedule.vector));
  for (const Place &place : loads)
    elements.loaded[place] =
        Values(std::exchange(results, results.drop_front(schedule.vector)).take_front(schedule.vector));
  return reduced;
}

} // namespace daedalus::cuda
