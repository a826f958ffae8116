// See Nest.h.

#include "Nest.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/isa/encoding.h"

namespace daedalus::dae {
namespace {

using Loop = Nest::Loop;
using Place = IntrinsicStep::Place;

constexpr size_t GemmLoops = 6, VectorLoops = 5;

/// The loop to unroll, or none when the instruction holds them all.
std::optional<size_t> loopTooMany(const Nest &nest) {
  for (auto [index, loop] : llvm::enumerate(nest.loops))
    if (loop.count > MaxLoopCount ||
        llvm::any_of(loop.strides, [](int64_t s) { return std::abs(s) > MaxLoopStride; }))
      return index;
  const size_t loops = nest.match->intrinsic->usesGemm() ? GemmLoops : VectorLoops;
  if (nest.loops.size() + nest.window.has_value() <= loops)
    return std::nullopt;
  auto fewest = llvm::min_element(nest.loops, [](const Loop &a, const Loop &b) { return a.count < b.count; });
  return fewest - nest.loops.begin();
}

/// One instruction for all loops of a nest.
class Emitter {
public:
  Emitter(mlir::OpBuilder &builder, const Nest &nest, const IntrinsicStep &step)
      : builder(builder), nest(nest), step(step) {}

  void emit() {
    mlir::Operation *op = step.isGemm ? gemm() : vector();
    if (nest.layer)
      op->setAttr("layer", builder.getI64IntegerAttr(*nest.layer));
  }

private:
  mlir::Operation *gemm() {
    const Place order[] = {step.a, step.b, step.dest};
    auto op = builder.create<GemmOp>(nest.place, token(), buffer(step.a), buffer(step.b), buffer(step.dest),
                                     rows(order), loops(order), mlir::UnitAttr(), mlir::IntegerAttr(),
                                     mlir::IntegerAttr(), mlir::IntegerAttr(), mlir::IntegerAttr(),
                                     mlir::ValueRange(), mlir::IntegerAttr(), ModulesAttr(), ModulesAttr());
    op.setAccumulate(nest.accumulate);
    if (nest.window) {
      op.setWindow(nest.window->rows);
      op.setLine(nest.window->line);
      op.setLead(nest.window->lead);
      op.setStep(nest.window->step);
    }
    return op;
  }

  mlir::Operation *vector() {
    const Place order[] = {step.dest, step.a, step.b};
    auto op = builder.create<VectorOp>(nest.place, token(), buffer(step.dest), buffer(step.a), buffer(step.b),
                                       VectorKindAttr::get(builder.getContext(), kind()), mlir::IntegerAttr(),
                                       mlir::IntegerAttr(), mlir::IntegerAttr(), mlir::IntegerAttr(),
                                       qnn::RoundingAttr(), rows(order), loops(order), mlir::UnitAttr(),
                                       buffer(step.table), mlir::ValueRange(), mlir::IntegerAttr(),
                                       ModulesAttr(), ModulesAttr());
    for (const Place &place : {step.a, step.b})
      if (place.kind == Place::Immediate || place.kind == Place::Constant)
        op.setImmediate(valueOf(place));
    op.setLo(valueOf(step.lo));
    op.setHi(valueOf(step.hi));
    op.setZeroPoint(valueOf(step.zeroPoint));
    if (isa::requantizes(static_cast<isa::VectorOp>(step.op)))
      op.setRoundingAttr(
          qnn::RoundingAttr::get(builder.getContext(), static_cast<qnn::Rounding>(valueOf(step.rounding))));
    op.setAccumulate(nest.accumulate);
    return op;
  }

  /// A reduction of a single value that starts anew is a move.
  VectorKind kind() const {
    const bool reduces =
        nest.accumulate || llvm::any_of(nest.loops, [](const Loop &loop) { return loop.reduce; });
    const bool onlyReduces = nest.match->intrinsic->reduces() && step.b.kind == Place::None;
    return onlyReduces && !reduces ? VectorKind::Mov : step.op;
  }

  TokenType token() const { return TokenType::get(builder.getContext()); }

  /// The number of a place among the buffers; -1 where it has none.
  int64_t number(const Place &place) const {
    return place.kind == Place::Operand     ? place.value
           : place.kind == Place::Temporary ? nest.match->intrinsic->operands.size() + place.value
                                            : -1;
  }
  mlir::Value buffer(const Place &place) const {
    const int64_t k = number(place);
    return k < 0 ? mlir::Value() : nest.buffers[k];
  }
  int64_t valueOf(const Place &place) const {
    return place.kind == Place::Immediate ? nest.match->immediates[place.value] : place.value;
  }

  mlir::DenseI64ArrayAttr rows(llvm::ArrayRef<Place> order) const {
    llvm::SmallVector<int64_t> first;
    for (const Place &place : order)
      first.push_back(number(place) < 0 ? 0 : nest.rows[number(place)]);
    return builder.getDenseI64ArrayAttr(first);
  }

  mlir::ArrayAttr loops(llvm::ArrayRef<Place> order) const {
    llvm::SmallVector<mlir::Attribute> all;
    const auto add = [&](const Loop &loop) {
      llvm::SmallVector<int64_t> strides;
      for (const Place &place : order)
        strides.push_back(number(place) < 0 ? 0 : loop.strides[number(place)]);
      all.push_back(LoopAttr::get(builder.getContext(), loop.reduce, loop.count, strides));
    };
    llvm::for_each(nest.loops, add);
    if (nest.window)
      add(nest.window->columns);
    return builder.getArrayAttr(all);
  }

  mlir::OpBuilder &builder;
  const Nest &nest;
  const IntrinsicStep &step;
};

} // namespace

void joinLoops(llvm::SmallVectorImpl<Loop> &loops) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t outer = 0; outer < loops.size() && !changed; ++outer)
      for (size_t inner = 0; inner < loops.size() && !changed; ++inner) {
        const Loop &o = loops[outer], &i = loops[inner];
        if (outer == inner || o.reduce != i.reduce || o.count * i.count > MaxLoopCount)
          continue;
        bool even = llvm::all_of(llvm::zip(o.strides, i.strides),
                                 [&](auto s) { return std::get<0>(s) == std::get<1>(s) * i.count; });
        if (!even)
          continue;
        loops[inner].count *= o.count;
        loops.erase(loops.begin() + outer);
        changed = true;
      }
  }
}

int64_t instructionsOf(const Nest &nest) {
  Nest rest = nest;
  int64_t count = nest.match->intrinsic->steps.size();
  while (std::optional<size_t> unroll = loopTooMany(rest)) {
    if (rest.loops[*unroll].count > MostInstructions / count)
      return MostInstructions + 1;
    count *= rest.loops[*unroll].count;
    rest.loops.erase(rest.loops.begin() + *unroll);
  }
  return count;
}

void emitNest(mlir::OpBuilder &builder, const Nest &nest) {
  std::optional<size_t> unroll = loopTooMany(nest);
  if (!unroll) {
    for (const IntrinsicStep &step : nest.match->intrinsic->steps)
      Emitter(builder, nest, step).emit();
    return;
  }
  const Loop loop = nest.loops[*unroll];
  Nest one = nest;
  one.loops.erase(one.loops.begin() + *unroll);
  for (int64_t i = 0; i < loop.count; ++i) {
    emitNest(builder, one);
    for (auto [row, stride] : llvm::zip(one.rows, loop.strides))
      row += stride;
    one.accumulate |= loop.reduce;
  }
}

} // namespace daedalus::dae
