// Windows of INP that another call's tiler makes, where it hands its result over.

#include "Lowering/Tiler.h"

#include "llvm/ADT/STLExtras.h"

namespace daedalus::accelerator {

using Kind = TileOp::Kind;

/// GEMM works on one window while VECTOR makes the next: each is made a step ahead of its reader.
BufferId Tiler::handedWindow(const Tile &t, size_t k) {
  const size_t number = next * steps.size() + k;
  if (!windows.count(number))
    windows[number] = makeWindow(t, steps[k]);
  const size_t ahead = number + 1;
  if (ahead < order.size() * steps.size())
    windows[ahead] = makeWindow(order.tiles()[ahead / steps.size()], steps[ahead % steps.size()]);
  const BufferId made = windows.at(number);
  windows.erase(number);
  return made;
}

BufferId Tiler::makeWindow(const Tile &t, const Step &step) {
  const HandedWindow window = handedWindowOf(kernel, sizes(t, step), t, step);
  const TileShape &shape = window.shape;
  const BufferId buffer = schedule.slide
                              ? alloc(dae::Scope::Inp, {shape.rows, shape.pitch, n}, 8)
                              : alloc(dae::Scope::Inp, {shape.rows, shape.cols, shape.blocks, n}, 8);
  program.buffers.back().isWrittenByVector = true;
  Handed to{buffer, {0, shape.pitch * n, shape.blocks * n}};
  to.padding = paddingOf(window, to);
  const Tile &inside = window.inside;
  if (inside.oh.count <= 0 || inside.ow.count <= 0) {
    llvm::append_range(program.ops, to.padding);
    return buffer;
  }
  to.place.first = (inside.oh.begin - window.y) * to.place.row + (inside.ow.begin - window.x) * to.place.col;
  giver->makeTile(inside, std::move(to));
  return buffer;
}

/// Rows above and below the image, and columns beside it.
llvm::SmallVector<TileOp, 4> Tiler::paddingOf(const HandedWindow &window, const Handed &to) const {
  const TileShape &shape = window.shape;
  llvm::SmallVector<TileOp, 4> padding;
  const auto fill = [&](Range rows, Range columns) {
    if (rows.count <= 0 || columns.count <= 0)
      return;
    TileOp &op = padding.emplace_back();
    op.kind = Kind::Load, op.call = index, op.dst = to.buffer;
    op.region = {window.inside.batch, 0,     1,    rows.count, 0, 1, columns.count, 0,
                 shape.blocks * n,    w.pad, false};
    op.region.isFill = true;
    op.place = to.place;
    op.place.first = rows.begin * to.place.row + columns.begin * to.place.col;
  };
  const Range rows{window.inside.oh.begin - window.y, window.inside.oh.count},
      columns{window.inside.ow.begin - window.x, window.inside.ow.count};
  const int64_t below = rows.begin + rows.count, right = columns.begin + columns.count;
  fill({0, rows.begin}, {0, shape.cols});
  fill({below, shape.rows - below}, {0, shape.cols});
  fill(rows, {0, columns.begin});
  fill(rows, {right, shape.cols - right});
  return padding;
}

/// A tile of any place and size, into a buffer of INP.
void Tiler::makeTile(const Tile &t, Handed to) {
  handed = std::move(to);
  compute(t);
}

} // namespace daedalus::accelerator
