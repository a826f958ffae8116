// See BoundWindow.h.

#include "BoundWindow.h"

#include <map>

namespace daedalus::dae {
namespace {

constexpr int64_t MostStep = isa::maximumOf<isa::Gemm>("step"), MostLead = isa::maximumOf<isa::Gemm>("lead");

bool isStride(int64_t rows) {
  return std::abs(rows) <= MaxLoopStride;
}

/// Reduction loops that are taps.
struct Taps {
  std::optional<unsigned> row, column;
  int64_t rows = 1, columns = 1;
};

class Binder {
public:
  Binder(const WindowBlock &block, const isa::Machine &machine)
      : block(block), machine(machine), n(machine.n) {}

  std::optional<BoundWindow> run() {
    if (!bindLane())
      return std::nullopt;
    const std::optional<Taps> taps = tapsOf(block.wgt.getResults().back());
    if (!taps || tilesDependOn(*taps))
      return std::nullopt;
    const int64_t line = inpStride(taps->row), column = -inpStride(taps->column), lead = taps->columns - 1;
    if ((taps->rows > 1 && line % 2 == 0) || lead > MostLead || !isStride(line) || !isStride(column))
      return std::nullopt;
    result.fields = {taps->rows, line, lead, 1, {false, 1, {column, 0, 0}}};
    result.firstColumn = -lead * column;
    for (std::optional<unsigned> loop : {taps->row, taps->column})
      if (loop)
        result.loops.push_back(*loop);
    takeColumns();
    return result;
  }

private:
  /// The innermost of INP and ACC, and of WGT the one before.
  bool bindLane() {
    const auto inp = block.inp.getResults(), wgt = block.wgt.getResults(), acc = block.acc.getResults();
    if (inp.size() < 2 || wgt.size() < 2 || acc.empty())
      return false;
    auto lane = mlir::dyn_cast<mlir::AffineDimExpr>(acc.back());
    if (!lane || block.ranges[lane.getPosition()] != n || inp.back() != lane || wgt[wgt.size() - 2] != lane)
      return false;
    for (const auto &rows : {inp.drop_back(), wgt.drop_back(2), wgt.take_back(), acc.drop_back()})
      if (llvm::any_of(rows, [&](mlir::AffineExpr e) { return e.isFunctionOfDim(lane.getPosition()); }))
        return false;
    result.loops.push_back(lane.getPosition());
    return true;
  }

  /// By the byte of a row of WGT.
  std::optional<Taps> tapsOf(mlir::AffineExpr byte) const {
    llvm::SmallVector<int64_t> point(block.ranges.size(), 0);
    if (valueAt(byte, point) != 0)
      return std::nullopt;
    std::map<int64_t, unsigned> byFactor;
    for (size_t d = 0; d < block.ranges.size(); ++d) {
      point[d] = 1;
      const int64_t factor = valueAt(byte, point);
      point[d] = 0;
      if (block.ranges[d] > 1 && factor != 0 && !byFactor.try_emplace(factor, d).second)
        return std::nullopt;
    }
    Taps taps;
    for (auto [factor, d] : byFactor) {
      (factor == 1 ? taps.column : taps.row) = d;
      (factor == 1 ? taps.columns : taps.rows) = block.ranges[d];
    }
    const size_t bound = taps.row.has_value() + taps.column.has_value();
    const bool fits = taps.rows <= machine.inpInterleave && taps.columns <= n / taps.rows;
    const bool isPacked = !taps.row || byFactor.rbegin()->first == n / taps.rows;
    return bound == byFactor.size() && fits && isPacked && areReductions(taps) ? std::optional(taps)
                                                                               : std::nullopt;
  }

  bool areReductions(const Taps &taps) const {
    return llvm::all_of(std::initializer_list<std::optional<unsigned>>{taps.row, taps.column},
                        [&](std::optional<unsigned> loop) {
                          return !loop || block.iterators[*loop] == mlir::utils::IteratorType::reduction;
                        });
  }

  /// A tile of WGT has all taps of the window.
  bool tilesDependOn(const Taps &taps) const {
    return (taps.row && block.loops[*taps.row].strides[1]) ||
           (taps.column && block.loops[*taps.column].strides[1]);
  }

  int64_t inpStride(std::optional<unsigned> loop) const { return loop ? block.loops[*loop].strides[0] : 0; }

  /// Of the parallel loops, the one with which the fewest columns are read; a run of the columns for each
  /// result where there is none.
  void takeColumns() {
    Nest::Window &fields = result.fields;
    const Nest::Window alone = fields;
    std::optional<unsigned> best;
    int64_t saved = -1;
    for (unsigned d = 0; d < block.ranges.size(); ++d) {
      const int64_t range = block.ranges[d], stride = block.loops[d].strides[0];
      if (range == 1 || range > MaxLoopCount || llvm::is_contained(result.loops, d) ||
          block.iterators[d] == mlir::utils::IteratorType::reduction)
        continue;
      const int64_t column = alone.lead ? alone.columns.strides[0] : stride;
      const int64_t step = column && stride % column == 0 ? stride / column : 0;
      const int64_t fewer = (range - 1) * (alone.lead + 1 - step);
      if (step < 1 || step > MostStep || fewer <= saved || !isStride(column) ||
          !isStride(block.loops[d].strides[2]) || block.loops[d].strides[1])
        continue;
      best = d, saved = fewer;
      fields.step = step;
      fields.columns = block.loops[d];
      fields.columns.strides[0] = column;
    }
    if (best)
      result.loops.push_back(*best);
  }

  const WindowBlock &block;
  const isa::Machine &machine;
  const int64_t n;
  BoundWindow result{};
};

} // namespace

std::optional<BoundWindow> bindWindow(const WindowBlock &block, const isa::Machine &machine) {
  return Binder(block, machine).run();
}

int64_t valueAt(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> point) {
  if (auto dim = mlir::dyn_cast<mlir::AffineDimExpr>(expr))
    return point[dim.getPosition()];
  if (auto constant = mlir::dyn_cast<mlir::AffineConstantExpr>(expr))
    return constant.getValue();
  auto binary = mlir::cast<mlir::AffineBinaryOpExpr>(expr);
  const int64_t a = valueAt(binary.getLHS(), point), b = valueAt(binary.getRHS(), point);
  return expr.getKind() == mlir::AffineExprKind::Add ? a + b : a * b; // maps are linear
}

} // namespace daedalus::dae
